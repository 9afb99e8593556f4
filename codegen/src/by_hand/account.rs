impl Account {
    /// The whole address, `mona@social.example`. `acct` of an account of the asked server itself lacks the domain, so that of the server
    /// is added: the one that its addresses have (`Instance.domain`), which need not be the host that answers.
    pub fn address(&self, domain: &str) -> String {
        if self.acct.contains('@') { self.acct.clone() } else { format!("{}@{domain}", self.acct) }
    }
}
