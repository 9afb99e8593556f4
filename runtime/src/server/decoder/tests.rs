use proptest::prelude::*;

use super::*;
use crate::server::body::pairs;
use crate::server::{RequestLimits, alternatives, tree};
use crate::{Alternative, Method, Timestamp};

static OPERATION: Operation = Operation::new("a.b", Method::Post, "/a")
    .params(&[
        Param::form("n"),
        Param::form("source[privacy]"),
        Param::form("id[]"),
        Param::form("k[][w]"),
        Param::form("k[][x][]"),
        Param::form("f[:index][name]"),
        Param::header("X-Key"),
        Param::form("at"),
        Param::form("deep[][in][][y]"),
        Param::form("expires_in").duration(),
    ])
    .alternatives(&[
        Alternative::new(&[(1, "code")], &[0], &[2]),
        Alternative::new(&[(1, "none")], &[], &[]),
    ]);

#[derive(Debug, PartialEq)]
struct Keyword {
    w: String,
    x: Vec<i64>,
}

crate::decode!(Keyword { w = required(3), x = list(4) });

#[derive(Debug, PartialEq)]
struct Attribute {
    name: Option<String>,
}

crate::decode!(Attribute { name = optional(5) });

#[derive(Debug, PartialEq)]
struct Outer {
    inner: Vec<Inner>,
}

crate::decode!(Outer { inner = objects(8) });

#[derive(Debug, PartialEq)]
struct Inner {
    y: i64,
}

crate::decode!(Inner { y = required(8) });

impl Decoder {
    fn required<T: FromParam>(&mut self, index: usize) -> Result<T, Invalid> {
        let mut value = T::blank();
        self.fill(&mut [Field::required(index, &mut value)])?;
        Ok(value)
    }

    fn optional<T: FromParam>(&mut self, index: usize) -> Result<Option<T>, Invalid> {
        let mut value = None;
        self.fill(&mut [Field::optional(index, &mut value)])?;
        Ok(value)
    }

    fn list<T: FromParam>(&mut self, index: usize) -> Result<Vec<T>, Invalid> {
        let mut values = Vec::new();
        self.fill(&mut [Field::list(index, &mut values)])?;
        Ok(values)
    }

    fn required_list<T: FromParam>(&mut self, index: usize) -> Result<Vec<T>, Invalid> {
        let mut values = Vec::new();
        self.fill(&mut [Field::required_list(index, &mut values)])?;
        Ok(values)
    }

    fn all<T: Decode>(&mut self, index: usize) -> Result<Vec<T>, Invalid> {
        let mut values = Vec::new();
        self.fill(&mut [Field::objects(index, &mut values)])?;
        Ok(values)
    }

    fn required_objects<T: Decode>(&mut self, index: usize) -> Result<Vec<T>, Invalid> {
        let mut values = Vec::new();
        self.fill(&mut [Field::required_objects(index, &mut values)])?;
        Ok(values)
    }
}

fn form(text: &str) -> Decoder {
    let mut tree = Tree::new();
    pairs(text.as_bytes(), &RequestLimits::default(), &mut tree).expect(text);
    let mut headers = HeaderMap::new();
    headers.insert("x-key", "secret".parse().expect("a value"));
    Decoder::new(&OPERATION, tree, headers, Arc::default())
}

fn json(text: &str) -> Decoder {
    let body = tree::json(text.as_bytes(), 16, 2048).expect(text);
    Decoder::new(&OPERATION, body, HeaderMap::new(), Arc::default())
}

#[test]
fn takes_scalars() {
    let mut from = form("n=4&source[privacy]=p&n=5");
    assert_eq!(from.required::<i64>(0), Ok(5));
    assert_eq!(from.optional::<String>(1), Ok(Some("p".to_owned())));
    assert_eq!(from.required::<String>(6), Ok("secret".to_owned()));
    assert_eq!(json(r#"{"n":"4"}"#).required::<i64>(0), Ok(4));
    assert_eq!(json(r#"{"source":{"privacy":7}}"#).required::<String>(1), Ok("7".to_owned()));
}

#[test]
fn empty_text_is_none_unless_it_is_text() {
    let mut from = form("n=&source[privacy]=&at=");
    assert_eq!(from.optional::<i64>(0), Ok(None));
    assert_eq!(from.optional::<String>(1), Ok(Some(String::new())));
    assert_eq!(from.optional::<Timestamp>(7), Ok(None));
    let missing = form("n=").required::<i64>(0).expect_err("missing");
    assert_eq!(missing.to_string(), "n is required");
    assert_eq!(json(r#"{"n":null}"#).optional::<i64>(0), Ok(None));
}

#[test]
fn seconds_that_end_beyond_all_years_are_refused() {
    let read = |text: &str| {
        let in_form = form(&format!("expires_in={text}")).optional::<i64>(9);
        assert_eq!(json(&format!(r#"{{"expires_in":{text}}}"#)).optional::<i64>(9), in_form);
        in_form.map_err(|invalid| invalid.to_string())
    };
    let told = "expires_in must be a number of seconds that end before the year 10000";
    for beyond in ["300000000000", "-300000000000", "9223372036854775807", "-9223372036854775808"] {
        assert_eq!(read(beyond), Err(told.to_owned()), "{beyond}");
    }
    for within in [-1, 0, 86_400, 200_000_000_000] {
        assert_eq!(read(&within.to_string()), Ok(Some(within)));
    }
    assert_eq!(read("1.5"), Err("expires_in must be a whole number".to_owned()));
}

#[test]
fn a_fault_names_the_parameter_and_not_its_value() {
    let wrong = form("n=hunter2").optional::<i64>(0).expect_err("wrong");
    assert_eq!(wrong.to_string(), "n must be a whole number");
    let wrong = json(r#"{"id":[1,{}]}"#).list::<i64>(2).expect_err("wrong");
    assert_eq!(wrong.to_string(), "id[] must be a whole number");
    let wrong = json(r#"{"n":[1]}"#).optional::<i64>(0).expect_err("wrong");
    assert_eq!(wrong.to_string(), "n must be a whole number");
    let wrong = form("k=1").all::<Keyword>(3).expect_err("wrong");
    assert_eq!(wrong.to_string(), "k[][w] must be a list of objects");
}

#[test]
fn takes_lists() {
    for text in
        ["id[]=1&id[]=2", "id=1&id=2", "id[0]=1&id[1]=2", "id[10]=2&id[9]=1", "id[]=1&id[]=&id[]=2"]
    {
        assert_eq!(form(text).list::<i64>(2), Ok(vec![1, 2]), "{text}");
    }
    assert_eq!(json(r#"{"id":[1,"2"]}"#).list::<i64>(2), Ok(vec![1, 2]));
    assert_eq!(form("id[]=").list::<String>(2), Ok(Vec::new()));
    assert_eq!(form("").list::<String>(2), Ok(Vec::new()));
    assert!(form("id[]=").required_list::<String>(2).is_err());
}

#[test]
fn takes_objects() {
    let keyword = |w: &str, x: &[i64]| Keyword { w: w.to_owned(), x: x.to_vec() };
    let two = vec![keyword("a", &[1, 2]), keyword("b", &[])];
    for text in
        ["k[][w]=a&k[][x][]=1&k[][x][]=2&k[][w]=b", "k[0][w]=a&k[0][x][]=1&k[0][x][]=2&k[1][w]=b"]
    {
        assert_eq!(form(text).all::<Keyword>(3).as_ref(), Ok(&two), "{text}");
    }
    assert_eq!(json(r#"{"k":[{"w":"a","x":[1,2]},{"w":"b"}]}"#).required_objects(3), Ok(two));
    let fields = form("f[1][name]=b&f[0][name]=a&f[2][other]=c").all::<Attribute>(5);
    assert_eq!(
        fields,
        Ok(vec![
            Attribute { name: Some("a".into()) },
            Attribute { name: Some("b".into()) },
            Attribute { name: None }
        ])
    );
    let deep = json(r#"{"deep":[{"in":[{"y":1},{"y":2}]},{}]}"#).all::<Outer>(8);
    assert_eq!(
        deep,
        Ok(vec![Outer { inner: vec![Inner { y: 1 }, Inner { y: 2 }] }, Outer { inner: vec![] }])
    );
    let missing = form("k[][x][]=1").all::<Keyword>(3).expect_err("missing");
    assert_eq!(missing.to_string(), "k[][w] is required");
    assert!(form("").required_objects::<Keyword>(3).is_err());
}

#[test]
fn one_alternative_must_hold() {
    let check =
        |text: &str| alternatives::check(&form(text)).map_err(|invalid| invalid.to_string());
    assert_eq!(check("source[privacy]=code&n=1"), Ok(()));
    assert_eq!(check("source[privacy]=none&id[]=1"), Ok(()));
    assert_eq!(check("source[privacy]=code"), Err("n is required".to_owned()));
    assert_eq!(check("source[privacy]=code&n="), Err("n is required".to_owned()));
    assert_eq!(
        check("source[privacy]=code&n=1&id[]=1"),
        Err("id[] and n cannot be combined".to_owned())
    );
    assert_eq!(check("n=1"), Err("source[privacy] must be one of these: code, none".to_owned()));
}

#[test]
fn without_fixed_values_the_required_parameters_are_named() {
    static POST: Operation = Operation::new("a.post", Method::Post, "/a")
        .params(&[
            Param::form("status"),
            Param::form("media_ids[]"),
            Param::form("poll[options][]"),
            Param::form("poll[expires_in]"),
        ])
        .alternatives(&[
            Alternative::new(&[], &[0], &[]),
            Alternative::new(&[], &[1], &[]),
            Alternative::new(&[], &[2, 3], &[]),
        ]);
    let check = |text: &str| {
        let mut tree = Tree::new();
        pairs(text.as_bytes(), &RequestLimits::default(), &mut tree).expect(text);
        alternatives::check(&Decoder::new(&POST, tree, HeaderMap::new(), Arc::default()))
            .map_err(|invalid| invalid.to_string())
    };
    assert_eq!(check("status=a"), Ok(()));
    assert_eq!(check("media_ids[]=1"), Ok(()));
    assert_eq!(
        check("status="),
        Err("one of these is required: status, media_ids[], poll[options][] with poll[expires_in]"
            .to_owned())
    );
}

#[test]
fn parameters_have_limits() {
    let mut tree = Tree::new();
    let many = "a=1&".repeat(3000);
    assert!(pairs(many.as_bytes(), &RequestLimits::default(), &mut tree).is_err());
    let deep = format!("a{}=1", "[b]".repeat(40));
    assert!(pairs(deep.as_bytes(), &RequestLimits::default(), &mut tree).is_err());
}

#[test]
fn rules_hold_for_any_number_of_parameters() {
    static MANY: Operation =
        Operation::new("a.many", Method::Post, "/a").params(&[Param::form("n"); 65]);
    let mut params = vec![ParamRules::default(); 65];
    params[64].ignored = true;
    let mut tree = Tree::new();
    pairs(b"n=1", &RequestLimits::default(), &mut tree).expect("a pair");
    let rules = Rules { params, ..Rules::default() };
    let decoder = Decoder::new(&MANY, tree, HeaderMap::new(), Arc::new(rules));
    assert!(decoder.peek(63).is_some());
    assert!(decoder.peek(64).is_none());
    assert_eq!(decoder.ignored_params(), ["n"]);
}

proptest! {
    #[test]
    fn never_panics(text in "((n|id|k|f|source|deep)(\\[(w|x|in|y|0|name|privacy|)\\]){0,3}=[a-z0-9]{0,3}&){0,12}") {
        let mut from = form(&text);
        let _ = alternatives::check(&from);
        let _ = from.optional::<i64>(0);
        let _ = from.optional::<String>(1);
        let _ = from.list::<i64>(2);
        let _ = from.all::<Keyword>(3);
        let _ = from.all::<Attribute>(5);
        let _ = from.all::<Outer>(8);
    }
}

#[test]
fn a_numbered_list_is_named_without_numbers() {
    static NUMBERED: Operation =
        Operation::new("a.n", Method::Post, "/a").params(&[Param::form("p[always][:index]")]);
    let mut tree = Tree::new();
    let sent = b"p[always][0]=x&p[always][1]=y";
    pairs(sent, &RequestLimits::default(), &mut tree).expect("pairs");
    let mut decoder = Decoder::new(&NUMBERED, tree, HeaderMap::new(), Arc::default());
    assert_eq!(decoder.list::<String>(0), Ok(vec!["x".to_owned(), "y".to_owned()]));
}

#[test]
fn several_values_come_as_a_list_or_in_one_text() {
    use crate::{OneOrMany, Several};

    static APPS: Operation = Operation::new("a.apps", Method::Post, "/a").params(&[
        Param::form("uris").several(&[("gotosocial", Several::new().lines(0, 19, 0))]),
        Param::form("ids"),
    ]);
    let read = |index: usize, text: &str| {
        let mut tree = Tree::new();
        if text.starts_with('{') {
            tree = tree::json(text.as_bytes(), 16, 2048).expect(text);
        } else {
            pairs(text.as_bytes(), &RequestLimits::default(), &mut tree).expect(text);
        }
        let mut decoder = Decoder::new(&APPS, tree, HeaderMap::new(), Arc::default());
        let values = decoder.required::<OneOrMany<String>>(index);
        values.map(|values| values.join(" ")).map_err(|invalid| invalid.to_string())
    };
    for text in [
        "uris=x%0Ay",
        "uris=x%0D%0A%0D%0A+y+",
        "uris[]=x&uris[]=y",
        "uris=x&uris=y",
        "uris[0]=x&uris[1]=y",
        r#"{"uris": ["x", "y"]}"#,
        r#"{"uris": "x\ny"}"#,
    ] {
        assert_eq!(read(0, text).as_deref(), Ok("x y"), "{text}");
    }
    assert_eq!(read(0, "uris=x").as_deref(), Ok("x"));
    assert_eq!(read(0, r#"{"uris": 7}"#).as_deref(), Ok("7"));
    // Lines are values only where a program takes them so.
    assert_eq!(read(1, "ids=x%0Ay").as_deref(), Ok("x\ny"));
    for text in ["", "uris=", "uris=%0A", "uris[]=", r#"{"uris": []}"#, r#"{"uris": null}"#] {
        assert_eq!(read(0, text), Err("uris is required".to_owned()), "{text}");
    }
    let error = read(0, r#"{"uris": [{"a": 1}]}"#);
    assert_eq!(error, Err("uris must be a string".to_owned()));
}

#[test]
fn an_optional_parameter_of_several_values_may_be_missing() {
    use crate::OneOrMany;

    let mut decoder = form("n=4");
    assert_eq!(decoder.optional::<OneOrMany<i64>>(0), Ok(Some(4.into())));
    assert_eq!(decoder.optional::<OneOrMany<i64>>(7), Ok(None));
    let mut decoder = form("n=x");
    assert!(decoder.optional::<OneOrMany<i64>>(0).is_err());
}

#[test]
fn what_the_path_has_is_taken_from_it_wherever_the_catalogue_puts_it() {
    static GET: Operation = Operation::new("a.get", Method::Get, "/a/:id/:name")
        .params(&[Param::new("id", Location::Unknown), Param::path("name")]);
    let path = ["id", "name"].map(|name| (name, Given::Text(format!("own {name}"))));
    let mut from =
        Decoder::new(&GET, Tree::new(), HeaderMap::new(), Arc::default()).with_path(path.into());
    assert!(from.peek(0).is_some());
    assert_eq!(from.required::<String>(0), Ok("own id".to_owned()));
    assert_eq!(from.required::<String>(1), Ok("own name".to_owned()));
    assert!(from.peek(1).is_none());
}
