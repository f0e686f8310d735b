/** The words of English by their kind and value: phrases separated by `|`; a word that ends in `*` is a beginning. */
export const ENGLISH = `
not: no|not|non|without|never|neither|nor|isn t|aren t|wasn t|weren t|don t|doesn t|didn t|cannot|none of|nothing|lacking
noneOf: no|without
except: except|except for|excepting|but not|excluding|exclude|exclude the|other than|apart from|aside from|besides|everything but|all but|anything but|anywhere but|everywhere but|minus|hide|skip|omit|leave out|filter out
excluded: excluded|not included|excepted
notDenied: not only|not just|not without|no matter
nobody: nobody|no one|noone|no people|no customers|no persons|no shoppers|no guests|no visitors|without anyone|without anybody|without people|without customers|not anyone|not anybody|not a single person|not a single customer
but: but|however
only: only|just|solely
and: and|,|&
or: or|nor|neither|/
at=strong: at|near|outside|beside|close to|in front of|next to
at=weak: in|on|by|from|inside|of|for|to|within|around
article: the|our|my|a|an|this|that
present: right now|at present
placeWord: scene|scenes|camera|cameras|cam|device|devices|zone|zones
alert: alert|alerts|alarm|alarms|event|events|insight|insights|incident|incidents|notification*|situation|situations|picture|pictures|image|images|photo|photos|video|videos|moment|moments|footage|snapshot|snapshots|clip|clips|recording|recordings|case|cases|occurrence*|occasion|occasions|message|messages|report|reports|entries|entry|result|results|summary|summaries|description|descriptions|scenario|scenarios|instances|instance
unanswerable: how long|how big|how full|how many|how much|how often|average|mean|median|sum of|count of|number of|compare|compared|comparison|versus|vs|trend|trends|busiest|most|least often|best|worst|why|predict|forecast|percentage|percent|too many|too long|many|too much|latest|newest|recent|recently|longest|shortest|largest|biggest|highest|lowest|several|a lot of|lots of|fewest
level=low: low|minor
level=medium: medium|moderate
level=high: high
level=critical: critical|criticals
severity=critical: critical|criticals
severity=warning: warning|warnings
risk: risk|risks
severityWord: severity
stage: level|levels
orHigher=GTE: or higher|and higher|or above|and above|or more|or worse|and up|or greater|upwards
orHigher=LTE: or lower|or below|and below|or less
grave: risky|danger|dangers|dangerous|severe|serious|urgent|hazardous
compare=GT: more than|over|above|exceed|exceeding|exceeds|exceeded|greater than|bigger than|larger than|higher than|>|in excess of|upwards of|beyond|topped|tops|surpass*|went over|goes over|passed
compare=GT length: longer than|slower than
compare=LT: less than|fewer than|under|below|smaller than|lower than|fell below|<
compare=LT length: shorter than|faster than|quicker than
compare=GTE: at least|a minimum of|minimum of|minimum|min|not less than|no less than|no fewer than|not fewer than|reached|reaches|hit|> =|≥
compare=GTE time: from|starting at
compare=LTE: at most|a maximum of|maximum of|maximum|max|no more than|not more than|no longer than|not longer than|< =|≤
compare=LTE time: up to
compare=EQ: exactly|precisely|=
orMore=GTE: +|or more|or above|or longer|or over|and more|and up|and above|plus|at least|minimum|or greater
orMore=LTE: or less|or fewer|or shorter|or under|at most|max|maximum|tops
seconds=1: s|sec|secs|second|seconds
seconds=60: m|min|mins|minute|minutes
seconds=3600: h|hr|hrs|hour|hours
whole=1800: half an hour|half hour|a half hour|half a hour
whole=30: half a minute|half minute
whole=900: a quarter of an hour|quarter of an hour|a quarter hour|quarter hour
whole=2700: three quarters of an hour
whole=5400: an hour and a half|one and a half hours
whole=90: a minute and a half|one and a half minutes
subject=wait: wait|waits|waited|waiting|waiting time*|wait time*
subject=service: service time*|service|serve|serves|served|serving
subject=queue: queue|queues|queued|queueing|queuing|queing|line|lines|lineup|lined up|lining up|standing in line
subject=queueSize: queue length*|queue size*|length of the queue|line length|length of the line
people: people|person|persons|customer|customers|visitor*|guest|guests|shopper*|individuals|client|clients|patients|patient|folk|folks|human|humans|ppl|buyer*|patron|patrons
group: group of|groups of|crowd of
countOf: of
between: between|from
to: and|to|until|till|-|–
empty: empty
number=12: dozen
number=6: half a dozen
number=24: two dozen
past: last|past|previous|recent
pastOne: past
ago: ago|earlier
unit=minute: minute|minutes|min|mins
unit=hour: hour|hours|hr|hrs
unit=day: day|days
unit=week: week|weeks
unit=month: month|months
unit=year: year|years
period=weekend: weekend|weekends|week end
period=week: week
period=month: month
period=quarter: quarter
period=year: year
last=-1: last|previous
lastButOne=-2: before last
this=0: this|the current|current
next=1: next
halfOf=0.5: half|half a|half an
one=1: a|an
day=1: tomorrow
day=-2: day before yesterday|the day before yesterday
day=-1: yesterday|yesterday s
day=0: today|today s
night=-1: last night
night=-2: night before last|the night before last
night=0: tonight
part=noon: noon|midday|lunchtime|lunch time
part=afternoon: afternoon|afternoons
part=morning: morning|mornings|forenoon
part=evening: evening|evenings
part=night: night|nights
partLead: in|at|during|on|over|around|about|towards|the|early|late
direction=since: since|starting|starting from|starting at|starting on
direction=after: after
direction=until: until|till|up to|up until
direction=before: before|prior to
direction=from: from
onwards: onwards|onward|and later|or later
atTime: at|around|about|shortly at
joined: and|to|until|till|through|or|nor|-|–
onDay: on
dayLead: the|on the|am
half=early: in the morning|morning
half=night: at night|night
half=late: in the afternoon|in the evening|afternoon|evening
mark=am: am|a . m|a . m .
mark=pm: pm|p . m|p . m .
mark=h: h
mark=clock: o clock|oclock
noon: noon|midday
midnight: midnight
offset=30: half past
offset=15: quarter past|a quarter past
offset=-15: quarter to|a quarter to
third#0: early|beginning of|start of|first days of; mid|middle of|the middle of; late|end of|last days of
nth#0: first; second; third; fourth; fifth
nthMark: st|nd|rd|th|.
halves: half
of: of|in|the|on
weekOf: week of|week from|week beginning|week starting
monthOf: month of
weekNumber: week|calendar week
weekday#1: monday|mondays; tuesday|tuesdays|tues; wednesday|wednesdays; thursday|thursdays|thur|thurs; friday|fridays; saturday|saturdays; sunday|sundays
shortDay#1: mon; tue; wed; thu; fri; sat; sun
month#1: january; february; march; april; ; june; july; august; september|sept; october; november; december
shortMonth#1: jan; feb; mar; apr; may; jun; jul; aug; sep; oct; nov; dec
beforeShort: in|since|during|last|this|until|before|after|on
stop: a|an|and|any|all|are|as|at|be|been|by|can|could|did|do|does|for|from|get|give|had|has|have|having|he|her|him|his|how|i|if|in|into|is|it|its|list|look|looking|me|more|most|much|my|near|of|on|or|our|out|over|per|please|she|show|some|than|that|the|their|them|then|there|these|they|this|those|to|too|us|very|was|we|were|what|when|where|which|while|who|whose|why|will|with|you|your
stop: events|happened|happening|occurred|find|search|display|during|between|since|until|before|after|anybody|anyone|someone|somebody|something|anything|time|times|day|days|level|levels|least|everything|involve|involves|involving|contain|contains|containing|include|includes|including|included|regarding|concerning|related|involved|happen|happens|want|wanted|need|got|see|seen|saw|gotten|every|each|another|other|others|also|really|hi|hello|thanks|thank|else|even|still|ever|here|going|go|went|come|came|comes|made|make|makes|took|take|takes|taking|within|along|across|again|able|lists|gives|given|everyone|everybody|would|should|might|must|like|stand|stands|standing|stood|whenever|wherever|whether|anywhere|somewhere|everywhere|nowhere|whatever|lasted|lasts|lasting|back|tell|about|being|am|im|id|ive|theres|lets|let|pls|plz|up|ones|extremely|gimme|lemme|wanna|kindly|hey|dear|onwards|onward|forward|later|single|now|just|currently
`;
