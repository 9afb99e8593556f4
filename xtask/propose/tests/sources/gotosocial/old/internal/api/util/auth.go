package util

import "github.com/gin-gonic/gin"

type Scope string

const (
	ScopeRead       Scope = "read"
	ScopeReadNotes  Scope = ScopeRead + ":notes"
	ScopeWriteNotes Scope = "write:notes"

	LimitKey   = "limit"
	VersionKey = "api_version"
	One        = "v1"
	Two        = "v2"
)

func Limit(c *gin.Context, key string) int {
	_ = c.Query(key)
	return 0
}
