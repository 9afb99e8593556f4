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
	_, err := apiutil.TokenAuth(c, true, true, true, true, apiutil.ScopeReadNotes)
	if err != nil {
		return
	}
	_ = apiutil.Limit(c, apiutil.LimitKey)
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
