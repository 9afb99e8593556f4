package gtsmodel

import "strings"

type Mood int

const (
	MoodUnknown Mood = 0
	MoodCalm    Mood = 1
	MoodWild    Mood = 2
	MoodOdd     Mood = 3
)

func (m Mood) String() string {
	switch m {
	case MoodCalm:
		return "calm"
	case MoodWild:
		return "wild"
	case MoodOdd:
		return "odd"
	default:
		return ""
	}
}

func ParseMood(in string) Mood {
	switch strings.ToLower(in) {
	case "calm":
		return MoodCalm
	case "wild":
		return MoodWild
	default:
		return MoodUnknown
	}
}
