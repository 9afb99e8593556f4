//! The group `instance`.

use fedispec::enums::DomainBlockSeverity;
use fedispec::instance;

use crate::end_to_end::entities;
use crate::end_to_end::site::Site;

/// Calls each operation of the group in document 1.
pub(crate) async fn calls(site: &Site) {
    let (wire, answer) = site.call(instance::Get::new()).await;
    assert_eq!(wire, got("/api/v2/instance"));
    assert_eq!(answer.value, entities::instance());

    let (wire, answer) = site.call(instance::GetV1::new()).await;
    assert_eq!(wire, got("/api/v1/instance"));
    assert_eq!(answer.value, entities::v1_instance());

    peers(site).await;
    lists(site).await;

    let (wire, answer) = site.call(instance::ExtendedDescription::new()).await;
    assert_eq!(wire, got("/api/v1/instance/extended_description"));
    assert_eq!(answer.content, "<p>More</p>");
    assert_eq!(answer.updated_at, None);

    let (wire, languages) = site.call(instance::TranslationLanguages::new()).await;
    assert_eq!(wire, got("/api/v1/instance/translation_languages"));
    assert_eq!(languages["en"], ["de", "eo"]);
}

/// One program answers domain names, the other objects.
async fn peers(site: &Site) {
    let (wire, names) = site.call(instance::Peers::new()).await;
    assert_eq!(wire, got("/api/v1/instance/peers"));
    let names = names.into_value().first().expect("names");
    assert_eq!(names, ["a.example", "b.example"]);

    let (wire, domains) = site.call(instance::Peers::new().filter("suspended")).await;
    assert_eq!(wire, got("/api/v1/instance/peers?filter=suspended"));
    let domains = domains.into_value().second().expect("domains");
    assert_eq!(domains[0].domain, "c.example");
}

async fn lists(site: &Site) {
    let (wire, weeks) = site.call(instance::Activity::new()).await;
    assert_eq!(wire, got("/api/v1/instance/activity"));
    assert_eq!((weeks.len(), weeks[0].statuses.as_str()), (1, "42"));

    let (wire, rules) = site.call(instance::Rules::new()).await;
    assert_eq!(wire, got("/api/v1/instance/rules"));
    let texts: Vec<_> = rules.iter().map(|rule| rule.text.as_str()).collect();
    assert_eq!(texts, ["Be kind", "No bots"]);

    let (wire, blocks) = site.call(instance::DomainBlocks::new()).await;
    assert_eq!(wire, got("/api/v1/instance/domain_blocks"));
    assert_eq!(blocks[0].severity, Some(DomainBlockSeverity::Suspend));
}

fn got(path: &str) -> String {
    format!("GET {path}\nBearer users-token")
}
