//! Features of the API.

use crate::load::Catalogue;
use fedispec_model::api::{Feature, Layer};

/// The features of a catalogue by id. The documents have none: most features need items that only the supplement knows.
pub(super) fn features(catalogue: &Catalogue, layer: Layer) -> Vec<Feature> {
    if layer != Layer::Full {
        return Vec::new();
    }
    let stated = catalogue.features.iter().flat_map(|file| &file.content.features);
    let features = stated.map(|(id, feature)| Feature {
        id: id.clone(),
        summary: feature.summary.clone(),
        synonyms: feature.synonyms.clone(),
        all: feature.all.clone(),
        one_of: feature.one_of.clone(),
    });
    let mut features: Vec<_> = features.collect();
    features.sort_by(|a, b| a.id.cmp(&b.id));
    features
}
