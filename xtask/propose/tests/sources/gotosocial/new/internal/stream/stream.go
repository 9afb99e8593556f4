package stream

const (
	TimelineHome          = "user"
	TimelineLocal  string = "public:local"
)

var All = []string{TimelineHome, TimelineLocal}
