//! Documentation, which no macro looks at.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// An item without the documentation of itself and of its fields or variants.
///
/// It is most of what generated items consist of, and parsing it took nearly as long as parsing all the rest.
pub(crate) fn without(item: TokenStream) -> TokenStream {
    let mut tokens = item.into_iter().peekable();
    let mut kept = Vec::new();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Punct(sign) if sign.as_char() == '#' => {
                if tokens.next_if(is_doc).is_none() {
                    kept.push(sign.into());
                }
            }
            TokenTree::Group(body) if body.delimiter() == Delimiter::Brace => {
                let mut inner = Group::new(Delimiter::Brace, without(body.stream()));
                inner.set_span(body.span());
                kept.push(inner.into());
            }
            token => kept.push(token),
        }
    }
    kept.into_iter().collect()
}

fn is_doc(token: &TokenTree) -> bool {
    let TokenTree::Group(attribute) = token else {
        return false;
    };
    let name = attribute.stream().into_iter().next();
    matches!(name, Some(TokenTree::Ident(name)) if name == "doc")
}

#[cfg(test)]
mod tests {
    use super::{TokenStream, without};

    #[test]
    fn all_else_stays() {
        let item = r#"
            #[doc(alias = "U27")]
            #[derive(Debug)]
            /** A list. */
            pub struct List<const N: usize = { 1 }> {
                /// # Of entries.
                #[entity(key = "doc")]
                pub limit: Option<[u8; N]>,
                /// Nothing.
                doc: [doc; 1],
            }
        "#;
        let kept = r#"
            #[derive(Debug)]
            pub struct List<const N: usize = { 1 }> {
                #[entity(key = "doc")]
                pub limit: Option<[u8; N]>,
                doc: [doc; 1],
            }
        "#;
        let [item, kept] = [item, kept].map(|text| text.parse().expect("tokens"));
        let kept: TokenStream = kept;
        assert_eq!(without(item).to_string(), kept.to_string());
    }
}
