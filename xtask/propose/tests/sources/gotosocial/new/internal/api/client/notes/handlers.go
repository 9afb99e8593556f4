package notes

import (
	apimodel "example.org/gotosocial/internal/api/model"
	apiutil "example.org/gotosocial/internal/api/util"

	"github.com/gin-gonic/gin"
)

// ListGETHandler swagger:operation GET /api/v1/notes notesList
//
//	responses:
//		'200':
//			schema:
//				type: array
//				items:
//					"$ref": "#/definitions/note"
func (m *Module) ListGETHandler(c *gin.Context) {
	_, err := apiutil.TokenAuth(c, true, true, true, true, apiutil.ScopeRead)
	if err != nil {
		return
	}
	_ = apiutil.Limit(c, apiutil.LimitKey)
	_ = c.Query("newest")
	_ = c.Query("beyond")
	m.processor.List()
}

func (m *Module) GETHandler(c *gin.Context) {
	version := c.Param(apiutil.VersionKey)
	if version != apiutil.Two {
		return
	}
	_, _ = apiutil.TokenAuth(c, true, true, true, true)
	m.processor.InstanceGetV1(c)
	_ = []string{}
}

func (m *Module) CreatePOSTHandler(c *gin.Context) {
	_, _ = apiutil.TokenAuth(c, true, true, true, true, apiutil.ScopeWriteNotes)
	form := new(apimodel.NoteRequest)
	if err := c.ShouldBind(form); err != nil {
		return
	}
	m.processor.Create(form)
}

// DraftsGETHandler swagger:operation GET /api/v1/notes/drafts drafts
//
//	responses:
//		'200':
//			schema:
//				"$ref": "#/definitions/draft"
func (m *Module) DraftsGETHandler(c *gin.Context) {
	_, _ = apiutil.TokenAuth(c, true, true, false, false)
	m.processor.Drafts()
}

func (m *Module) BreakPOSTHandler(c *gin.Context) {
	m.processor.Break()
}
