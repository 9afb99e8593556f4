package model

import "time"

// Note is a note.
//
// swagger:model note
type Note struct {
	Base
	Text   string `json:"text"`
	Author *string `json:"author,omitempty"`
	NewName string `json:"new_name"`
	Colour Colour `json:"colour"`
	Folder *Folder `json:"folder,omitempty"`
	Hidden string `json:"-"`
}

type Base struct {
	ID string `json:"id"`
}

type Colour string

const (
	ColourRed Colour = "red"
	ColourBlue Colour = "blue"
)

type Folder struct {
	Name string `json:"name"`
}

// Draft is a note that is not kept yet.
//
// swagger:model draft
type Draft struct {
	Of        []Note    `json:"of"`
	ChangedAt time.Time `json:"changed_at"`
}

type NoteRequest struct {
	Text   string `form:"text" json:"text" binding:"required"`
	Colour Colour `form:"colour" json:"colour"`
	IP     string `form:"-" json:"-"`
}
