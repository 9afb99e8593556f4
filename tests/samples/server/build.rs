fn main() -> Result<(), fedispec_codegen::config::Error> {
    fedispec_codegen::Config::new()
        .catalogue("catalogue")
        .groups(["emoji_reactions", "polls"])
        .server()
        .generate()
}
