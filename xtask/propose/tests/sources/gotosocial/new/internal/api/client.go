package api

import (
	"example.org/gotosocial/internal/api/client/notes"
	"example.org/gotosocial/internal/router"
)

type Client struct {
	notes *notes.Module
}

func (c *Client) Route(r *router.Router) {
	group := r.AttachGroup("api")
	h := group.Handle
	c.notes.Route(h)
}
