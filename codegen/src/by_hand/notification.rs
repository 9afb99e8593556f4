/// The event of a notification, with its object; returned by [`Notification::kind`].
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum NotificationKind<'a> {
    /// Somebody mentioned the user in this status.
    Mention(&'a entities::Status),
    /// Somebody whose posts the user wants to hear of posted this status.
    Status(&'a entities::Status),
    /// Somebody boosted this status of the user.
    Reblog(&'a entities::Status),
    /// Somebody favourited this status of the user.
    Favourite(&'a entities::Status),
    /// The poll in this status, which the user made or voted in, has ended.
    Poll(&'a entities::Status),
    /// This status, which the user boosted, was edited.
    Update(&'a entities::Status),
    /// Somebody quoted the user in this status.
    Quote(&'a entities::Status),
    /// A status that this status of the user quotes was edited.
    QuotedUpdate(&'a entities::Status),
    /// Somebody wants to favourite this status of the user.
    PendingFavourite(&'a entities::Status),
    /// Somebody wants to answer the user with this status.
    PendingReply(&'a entities::Status),
    /// Somebody wants to boost this status of the user.
    PendingReblog(&'a entities::Status),
    /// Somebody follows the user.
    Follow,
    /// Somebody wants to follow the user.
    FollowRequest,
    /// Somebody signed up.
    AdminSignUp,
    /// Somebody reported an account or its statuses.
    AdminReport(&'a entities::Report),
    /// Moderators warned the user, or acted against the account.
    ModerationWarning(&'a entities::AccountWarning),
    /// A moderation or a block ended follows of the user.
    SeveredRelationships(&'a entities::RelationshipSeveranceEvent),
    /// Somebody added the user to this collection.
    AddedToCollection(&'a entities::Collection),
    /// A collection that the user is in was changed.
    CollectionUpdate(&'a entities::Collection),
    /// Another type, as it was sent, or a type whose object is missing, as after its deletion.
    Other(&'a str),
}

impl Notification {
    /// The event by the notification's type, with its object.
    #[inline]
    pub fn kind(&self) -> NotificationKind<'_> {
        use NotificationKind as Kind;
        let status = self.status.as_ref();
        let collection = self.collection.as_ref();
        let text = self.r#type.as_str();
        let kind = match text {
            "mention" => status.map(Kind::Mention),
            "status" => status.map(Kind::Status),
            "reblog" => status.map(Kind::Reblog),
            "favourite" => status.map(Kind::Favourite),
            "poll" => status.map(Kind::Poll),
            "update" => status.map(Kind::Update),
            "quote" => status.map(Kind::Quote),
            "quoted_update" => status.map(Kind::QuotedUpdate),
            "pending.favourite" => status.map(Kind::PendingFavourite),
            "pending.reply" => status.map(Kind::PendingReply),
            "pending.reblog" => status.map(Kind::PendingReblog),
            "follow" => Some(Kind::Follow),
            "follow_request" => Some(Kind::FollowRequest),
            "admin.sign_up" => Some(Kind::AdminSignUp),
            "admin.report" => self.report.as_ref().map(Kind::AdminReport),
            "moderation_warning" => {
                { self.moderation_warning.as_ref() }.map(Kind::ModerationWarning)
            }
            "severed_relationships" => self.event.as_ref().map(Kind::SeveredRelationships),
            "added_to_collection" => collection.map(Kind::AddedToCollection),
            "collection_update" => collection.map(Kind::CollectionUpdate),
            _ => None,
        };
        kind.unwrap_or(Kind::Other(text))
    }
}
