package model

import "time"

// Note is a note.
//
// swagger:model note
type Note struct {
	Base
	Text   string `json:"text"`
	Author *string `json:"author"`
	OldName string `json:"old_name"`
	Hidden string `json:"-"`
}

type Base struct {
	ID string `json:"id"`
}

type Colour string

const (
	ColourRed Colour = "red"
)
