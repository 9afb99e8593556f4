package processing

import (
	apimodel "example.org/gotosocial/internal/api/model"
	"example.org/gotosocial/internal/gtsmodel"
	"example.org/gotosocial/internal/stream"
)

var kinds = []string{"long", "short"}

func (p *Processor) Moods(flags *Flags) {
	flags.Set(gtsmodel.MoodOdd, true)
	if p.mood == gtsmodel.MoodOdd {
		return
	}
	p.notify(gtsmodel.MoodCalm)
	p.notify(gtsmodel.MoodWild)
	p.colour = apimodel.ColourRed
	p.paint(apimodel.ColourBlue)
	p.post(stream.TimelineHome + ":" + p.id)
}
