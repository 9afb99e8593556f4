//! The values that functions give to members of GoToSocial's structs: lists that are always made or may be null, and keys that nothing sets.

use fedispec_propose::row::ItemKind;
use fedispec_propose::surface::{Field, Surface};
use fedispec_propose::{propose, surface};

use crate::repository::{Scratch, request_of};

const MODEL: &str = "package model

type Crate struct {
	Made    []string          `json:\"made\"`
	Joined  []string          `json:\"joined\"`
	Grown   []string          `json:\"grown\"`
	Fetched []string          `json:\"fetched\"`
	Left    []string          `json:\"left\"`
	Nulled  map[string]string `json:\"nulled\"`
	Later   []string          `json:\"later\"`
	Maybe   []string          `json:\"maybe\"`
	Asked   []string          `json:\"asked\"`
	Lid     *Lid              `json:\"lid\"`
	Base    *Lid              `json:\"base\"`
	Handle  *Lid              `json:\"handle\"`
	Lock    Lid               `json:\"lock\"`
}

type Lid struct {
	Name  string   `json:\"name\"`
	Heavy *bool    `json:\"heavy,omitempty\"`
	Signs []string `json:\"signs,omitempty\"`
}
";

const CONVERTER: &str = "package typeutils

import \"example.org/gotosocial/internal/api/model\"

func fetch(of string) ([]string, error) {
	if of == \"\" {
		return nil, errors.New(\"none\")
	}
	found := make([]string, 0, 4)
	return found, nil
}

func ask(of string) []string {
	if of == \"\" {
		return nil
	}
	return []string{of}
}

func lidOf(of string) *model.Lid {
	return &model.Lid{Name: of, Signs: []string{of}}
}

func toCrate(of string) (*model.Crate, error) {
	grown := []string{}
	for i := 0; i < 3; i++ {
		grown = append(grown, of)
	}
	var maybe []string
	if of != \"\" {
		maybe = append(maybe, of)
	}
	fetched, err := fetch(of)
	if err != nil {
		return &model.Crate{}, err
	}
	var lid *model.Lid
	if of != \"\" {
		lid = new(model.Lid)
		lid.Name = of
	}
	base := &model.Lid{Name: of}
	weigh(base)
	made := &model.Crate{
		Made:    make([]string, 0),
		Joined:  append([]string{}, of),
		Grown:   grown,
		Fetched: fetched,
		Nulled:  nil,
		Later:   make([]string, 0),
		Maybe:   maybe,
		Asked:   ask(of),
		Lid:     lid,
		Base:    base,
		Handle:  lidOf(of),
		Lock:    model.Lid{Name: of},
	}
	made.Later = ask(of)
	return made, nil
}
";

fn read(converter: &str) -> Surface {
    let scratch = Scratch::with(
        "gotosocial",
        &[
            ("new", "internal/api/model/crate.go", MODEL),
            ("new", "internal/typeutils/crate.go", converter),
        ],
    );
    let source = scratch.source();
    let served = surface(&scratch.spec(), &request_of("gotosocial", &source, "v0.2.0"));
    served.expect("a source").surface
}

fn field<'s>(surface: &'s Surface, shape: &str, key: &str) -> &'s Field {
    &surface.shapes[shape].fields[key]
}

#[test]
fn a_list_is_null_where_nothing_makes_it_and_never_where_every_function_does() {
    let surface = read(CONVERTER);
    let null = |key| field(&surface, "Crate", key).nullable;
    for made in ["made", "joined", "grown", "fetched"] {
        assert_eq!(null(made), Some(false), "{made}");
        assert_eq!(field(&surface, "Crate", made).optional, Some(false), "{made}");
    }
    for nil in ["left", "nulled"] {
        assert_eq!(null(nil), Some(true), "{nil}");
    }
    // Set again, or filled under a condition.
    for untold in ["later", "maybe", "asked"] {
        assert_eq!(null(untold), None, "{untold}");
    }
    // Of two functions, one may leave it out.
    let second = format!(
        "{CONVERTER}
func shortCrate() *model.Crate {{
	return &model.Crate{{Grown: []string{{}}}}
}}
"
    );
    let surface = read(&second);
    assert_eq!(field(&surface, "Crate", "grown").nullable, Some(false));
    assert_eq!(field(&surface, "Crate", "made").nullable, Some(true));
    assert_eq!(field(&surface, "Crate", "later").nullable, None);
}

#[test]
fn keys_that_nothing_sets_where_an_object_is_held_are_told() {
    let surface = read(CONVERTER);
    let unset = |holder: &str| -> Vec<String> {
        let shape = field(&surface, "Crate", holder).r#type.shape();
        let fields = &surface.shapes[shape.expect(holder)].fields;
        let unset = fields.iter().filter(|(_, field)| field.unset);
        unset.map(|(key, _)| key.clone()).collect()
    };
    assert_eq!(unset("lid"), ["heavy", "signs"]);
    assert_eq!(unset("lock"), ["heavy", "signs"]);
    // It is given to a function, or comes from one.
    assert_eq!(unset("base"), [""; 0]);
    assert_eq!(unset("handle"), [""; 0]);
    assert!(surface.shapes["Lid"].fields.values().all(|field| !field.unset));
}

/// A note's folder with or without the key `size`, and what the only function that makes one sets.
fn note(has_size: bool, sets: &str) -> (String, String) {
    let size = if has_size { "\tSize *int `json:\"size,omitempty\"`\n" } else { "" };
    let model = format!(
        "package model

// swagger:model note
type Note struct {{
	ID     string  `json:\"id\"`
	Text   string  `json:\"text\"`
	Folder *Folder `json:\"folder\"`
}}

type Folder struct {{
	Name string `json:\"name\"`
{size}}}

type Colour string

const ColourRed Colour = \"red\"
"
    );
    let converter = format!(
        "package typeutils

import \"example.org/gotosocial/internal/api/model\"

func toNote(of string, size *int) *model.Note {{
	return &model.Note{{ID: of, Text: of, Folder: &model.Folder{{ {sets} }}}}
}}
"
    );
    (model, converter)
}

/// The rows about the folder's size.
fn told(old: (bool, &str), new: (bool, &str), life: &str) -> Vec<String> {
    let (old, new) = (note(old.0, old.1), note(new.0, new.1));
    let (model, converter) = ("internal/api/model/note.go", "internal/typeutils/note.go");
    let scratch = Scratch::with(
        "gotosocial",
        &[
            ("old", model, &old.0),
            ("old", converter, &old.1),
            ("new", model, &new.0),
            ("new", converter, &new.1),
        ],
    );
    let file = scratch.spec().join("supplement/notes.yaml");
    let text = std::fs::read_to_string(&file).expect("the catalogue");
    let is = "folder[name]: {summary: The name of the folder., since: {gotosocial: never}, type: string}";
    let folder = "folder: {summary: Where it is kept., since: {gotosocial: never}, type: object}";
    let text = text.replace(folder, &folder.replace("never", "\"0.1.0\""));
    let size = format!(
        "      folder[size]: {{summary: How many., {life}, type: integer, optional: true}}"
    );
    let text = text.replace(is, &format!("{}\n{size}", is.replace("never", "\"0.1.0\"")));
    std::fs::write(&file, text).expect("written");
    let source = scratch.source();
    let rows = propose(&scratch.spec(), &request_of("gotosocial", &source, "v0.2.0"))
        .expect("a proposal")
        .rows;
    let rows = rows.into_iter().filter(|row| row.id == "Note.folder.size");
    rows.map(|row| {
        assert_eq!(row.kind, ItemKind::Field);
        row.change.name()
    })
    .collect()
}

#[test]
fn a_key_that_nothing_sets_is_there_only_where_the_catalogue_says_just_that() {
    let (set, unset) = ((true, "Name: of, Size: size"), (true, "Name: of"));
    let without = (false, "Name: of");
    let known = "since: {gotosocial: \"0.1.0\"}";
    let never = "since: {gotosocial: never}";
    let idle = "since: {gotosocial: \"0.1.0\"}, works_since: {gotosocial: never}";
    assert_eq!(told(set, set, known), [""; 0]);
    assert_eq!(told(set, unset, known), ["removed"]);
    assert_eq!(told(unset, set, never), ["added"]);
    assert_eq!(told(without, unset, never), [""; 0]);
    // Neither is a contradiction.
    assert_eq!(told(unset, unset, never), [""; 0]);
    assert_eq!(told(unset, unset, idle), [""; 0]);
    // A parameter that is taken without effect need not be named.
    assert_eq!(told(without, without, idle), [""; 0]);
}

#[test]
fn a_key_of_an_embedded_struct_is_sent_where_that_is_filled_there() {
    let model = "package model

type Seal struct {
	Form   string `json:\"form\"`
	Colour string `json:\"colour,omitempty\"`
}

type Letter struct {
	Seal
	Text string `json:\"text\"`
}
";
    let converter = "package typeutils

import \"example.org/gotosocial/internal/api/model\"

func toSeal(of string) *model.Seal {
	return &model.Seal{Form: of, Colour: of}
}

func toLetter(of string) *model.Letter {
	return &model.Letter{Seal: model.Seal{Form: of}, Text: of}
}
";
    let files = [
        ("new", "internal/api/model/letter.go", model),
        ("new", "internal/typeutils/letter.go", converter),
    ];
    let scratch = Scratch::with("gotosocial", &files);
    let source = scratch.source();
    let served = surface(&scratch.spec(), &request_of("gotosocial", &source, "v0.2.0"));
    let surface = served.expect("a source").surface;
    assert!(field(&surface, "Letter", "colour").unset);
    assert!(!field(&surface, "Letter", "form").unset);
    assert!(!field(&surface, "Seal", "colour").unset);
}
