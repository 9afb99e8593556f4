package notes

import (
	"net/http"

	"example.org/gotosocial/internal/api/util"
	"example.org/gotosocial/internal/debug"
)

const (
	BasePath = "/v1/notes"
	IDPath   = "/:" + util.VersionKey + "/notes/:id"
)

type Module struct{}

func (m *Module) Route(attachHandler func(method string, path string, f ...gin.HandlerFunc)) {
	attachHandler(http.MethodGet, BasePath, m.ListGETHandler)
	attachHandler(http.MethodGet, IDPath, m.GETHandler)
	attachHandler(http.MethodPost, BasePath, m.CreatePOSTHandler)
	attachHandler(http.MethodGet, BasePath+"/drafts", m.DraftsGETHandler)
	if debug.DEBUG {
		attachHandler(http.MethodPost, BasePath+"/break", m.BreakPOSTHandler)
	}
}
