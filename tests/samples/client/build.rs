fn main() -> Result<(), fedispec_codegen::config::Error> {
    fedispec_codegen::Config::new()
        .floor("mastodon", "4.2.0")
        .floor("gotosocial", "0.17.0")
        .groups(["instance", "notifications"])
        .client()
        .generate()
}
