//! How a request is made: the constructors that the emitter writes, by name, each with its arguments in order.

use fedispec_model::api::{Location, Operation, Param, Required};

/// A constructor and the ids of the parameters it takes.
pub(super) type Constructor<'a> = (&'a str, Vec<&'a str>);

/// Whether the parameter is an argument of every constructor.
pub(super) fn always(param: &Param) -> bool {
    param.location == Location::Path || (param.required == Required::Always && !param.nullable)
}

pub(super) fn constructors(operation: &Operation) -> Vec<Constructor<'_>> {
    let of = |is_argument: &dyn Fn(&Param) -> bool| {
        let params = operation
            .params
            .iter()
            .filter(|param| param.parent.is_none() && is_argument(param));
        params.map(|param| param.item.id.as_str()).collect()
    };
    if operation.alternatives.is_empty() {
        return vec![("new", of(&always))];
    }
    let alternatives = operation.alternatives.iter().map(|way| {
        let set = |param: &Param| way.sets.iter().any(|(name, _)| *name == param.item.wire);
        let arguments =
            of(&|param| (always(param) || way.requires.contains(&param.item.wire)) && !set(param));
        (way.rust.as_str(), arguments)
    });
    alternatives.collect()
}
