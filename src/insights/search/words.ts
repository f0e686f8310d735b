/**
 * The words of English and German by their meaning: `kind: english / german`, phrases separated by `|`; a word that ends in
 * `*` is a beginning. After `kind=a;b` the phrases of the values a and b follow, separated by `;`, after `kind#n` those of
 * n, n + 1, … A `concept` is a thing or an activity that summaries describe, in English whatever the language of the query:
 * its role, the word, its synonyms. Names of places contain words of the role `place`; a `quality` describes the next word.
 */
export const WORDS = `
not: no|not|non|without|never|neither|nor|isn t|aren t|wasn t|weren t|don t|doesn t|didn t|cannot|none of|nothing|lacking / kein|keine|keinen|keinem|keiner|keines|nicht|weder|nichts|nie|niemals|nein|ohne
noneOf: no|without / ohne|kein|keine|keinen|keinem|keiner
except: except|except for|excepting|but not|excluding|exclude|exclude the|other than|apart from|aside from|besides|everything but|all but|anything but|anywhere but|everywhere but|minus|hide|skip|omit|leave out|filter out / außer|ausser|außer bei|bis auf|ausgenommen|abgesehen von|mit ausnahme von|mit ausnahme der|mit ausnahme des|ausblenden|ohne die|aber nicht
excluded: excluded|not included|excepted / ausgenommen|ausgeschlossen|ausblenden|nicht|nein
notDenied: not only|not just|not without|no matter / nicht nur|nicht ohne
nobody: nobody|no one|noone|no people|no customers|no persons|no shoppers|no guests|no visitors|without anyone|without anybody|without people|without customers|not anyone|not anybody|not a single person|not a single customer / niemand|niemanden|niemandem|keiner|keine kunden|keine leute|keine personen|keine menschen|kein kunde|kein mensch|keine person|ohne kunden|ohne leute|ohne personen|ohne menschen
but: but|however / aber|sondern|jedoch|doch
only: only|just|solely / nur|lediglich|ausschließlich|bloß
and: and|,|& / und|sowie|,|&
or: or|nor|neither|/ / oder|noch|weder|/|beziehungsweise|bzw
at=strong;weak: at|near|outside|beside|close to|in front of|next to; in|on|by|from|inside|of|for|to|within|around / bei|beim|am|an|vor|neben|nahe|in der nähe von|in der nähe der|in der nähe des; in|im|ins|auf|von|vom|aus|zur|zum|für|vorm
article: the|our|my|a|an|this|that / der|die|das|dem|den|des|ein|eine|einer|einem|einen|ne|nen|nem|ner|unsere*|unser*
present: right now|at present / zur zeit|zurzeit|im augenblick|gerade jetzt
placeWord: scene|scenes|camera|cameras|cam|device|devices|zone|zones / szene*|kamera*|gerät*|zone|zonen
alert: alert|alerts|alarm|alarms|event|events|insight|insights|incident|incidents|notification*|situation|situations|picture|pictures|image|images|photo|photos|video|videos|moment|moments|footage|snapshot|snapshots|clip|clips|recording|recordings|case|cases|occurrence*|occasion|occasions|message|messages|report|reports|entries|entry|result|results|summary|summaries|description|descriptions|scenario|scenarios|instances|instance / alarm|alarme|alarmen|alarms|event|events|meldung*|ereignis*|vorfall|vorfälle*|einblick*|beschreibung*|benachrichtigung*|situation|situationen|lage|lagen|bild|bilder|bildern|foto|fotos|aufnahme|aufnahmen|video|videos|moment|momente|momenten|nachricht|nachrichten|fall|fälle|fällen|eintrag|einträge|einträgen|ergebnis|ergebnisse|zusammenfassung*|momentaufnahme*|clip|clips|sachen|dinge
unanswerable: how long|how big|how full|how many|how much|how often|average|mean|median|sum of|count of|number of|compare|compared|comparison|versus|vs|trend|trends|busiest|most|least often|best|worst|why|predict|forecast|percentage|percent|too many|too long|many|too much|latest|newest|recent|recently|longest|shortest|largest|biggest|highest|lowest|several|a lot of|lots of|fewest / wie lang|wie lange|wie groß|wie voll|wie viele|wie viel|wieviel|wieviele|wie oft|durchschnitt*|vergleich*|warum|prognose|prozent|meisten|zu viele|zu lang|zu lange|viele|vielen|neueste*|neuste*|jüngste*|kürzlich|längste*|kürzeste*|größte*|höchste*|kleinste*|niedrigste*|mehrere|mehreren|einige|wenige
level=low;medium;high;critical: low|minor; medium|moderate; high; critical|criticals / niedrig*|gering*; mittler*|mittel|mittelhoh*|mäßig*; hoh|hoher|hohe|hohes|hohem|hohen|hoch; kritisch*
severity=critical;warning: critical|criticals; warning|warnings / kritisch*; warnung*|warnmeldung*|warnhinweis*
risk: risk|risks / risiko*|risiken|gefahrenstufe
severityWord: severity / schweregrad*|dringlichkeit
stage: level|levels / level|niveau*|stufe*
orHigher=GTE;LTE: or higher|and higher|or above|and above|or more|or worse|and up|or greater|upwards; or lower|or below|and below|or less / oder höher*|und höher*|oder mehr|und mehr|oder schlimmer|oder darüber|aufwärts; oder niedriger*|oder geringer*|oder darunter|oder weniger
grave: risky|danger|dangers|dangerous|severe|serious|urgent|hazardous / riskant*|gefährlich*|bedrohlich*|dringend*|gefahr|gefahren|ernst*
compare=GT: more than|over|above|exceed|exceeding|exceeds|exceeded|greater than|bigger than|larger than|higher than|>|in excess of|upwards of|beyond|topped|tops|surpass*|went over|goes over|passed / mehr als|über|größer als|höher als|oberhalb von|überschr*|überstieg*|übersteigt|>
compare=GT length: longer than|slower than / länger als|langsamer als
compare=LT: less than|fewer than|under|below|smaller than|lower than|fell below|< / weniger als|unter|kleiner als|geringer als|unterschr*|<
compare=LT length: shorter than|faster than|quicker than / kürzer als|schneller als
compare=GTE: at least|a minimum of|minimum of|minimum|min|not less than|no less than|no fewer than|not fewer than|reached|reaches|hit|> =|≥ / mindestens|mind|mind .|min|min .|wenigstens|minimal|zumindest|nicht weniger als|nicht unter|erreichte*|erreicht|> =|≥
compare=GTE time: from|starting at / ab
compare=LTE: at most|a maximum of|maximum of|maximum|max|no more than|not more than|no longer than|not longer than|< =|≤ / höchstens|maximal|nicht mehr als|nicht länger als|nicht über|max|max .|< =|≤
compare=LTE time: up to / bis zu
compare=EQ: exactly|precisely|= / genau|exakt|=
orMore=GTE;LTE: +|or more|or above|or longer|or over|and more|and up|and above|plus|at least|minimum|or greater; or less|or fewer|or shorter|or under|at most|max|maximum|tops / +|oder mehr|oder länger|und mehr|oder darüber|plus|und länger|aufwärts|mindestens; oder weniger|oder kürzer|höchstens|maximal|oder darunter|und weniger
seconds=1;60;3600: s|sec|secs|second|seconds; m|min|mins|minute|minutes; h|hr|hrs|hour|hours / s|sek|sekunde|sekunden|sec; m|min|minute|minuten; h|std|stunde|stunden
whole=1800;30;900;2700;5400;90: half an hour|half hour|a half hour|half a hour; half a minute|half minute; a quarter of an hour|quarter of an hour|a quarter hour|quarter hour; three quarters of an hour; an hour and a half|one and a half hours; a minute and a half|one and a half minutes / einer halben stunde|eine halbe stunde|halbe stunde|halben stunde; einer halben minute|eine halbe minute|halbe minute; einer viertelstunde|eine viertelstunde|viertelstunde; dreiviertelstunde|eine dreiviertelstunde|einer dreiviertelstunde; anderthalb stunden|eineinhalb stunden; anderthalb minuten|eineinhalb minuten
subject=wait: wait|waits|waited|waiting|waiting time*|wait time* / wartezeit*|warten|wartet|warteten|wartete|gewartet|wartend*|wartedauer
subject=service: service time*|service|serve|serves|served|serving / service|bedienung*|bedienzeit*|bedient|bedienen|abfertigung*|servicezeit*|bediendauer
subject=queue: queue|queues|queued|queueing|queuing|queing|line|lines|lineup|lined up|lining up|standing in line / schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*|anstanden|angestanden
subject=queueSize: queue length*|queue size*|length of the queue|line length|length of the line / schlangenlänge*|länge der schlange|warteschlangenlänge*
people: people|person|persons|customer|customers|visitor*|guest|guests|shopper*|individuals|client|clients|patients|patient|folk|folks|human|humans|ppl|buyer*|patron|patrons / personen|person|leute|leuten|kunden|kunde|kundinnen|menschen|mensch|besucher*|gästen|gäste|gast|patienten|käufer*|pers|pers .
group: group of|groups of|crowd of / gruppe von|gruppen von|gruppe mit
countOf: of / mit|von
between: between|from / zwischen|von|vom
to: and|to|until|till|-|– / und|bis|bis zu|-|–
empty: empty / leer*
number#1: one; two; three; four; five; six; seven; eight; nine; ten; eleven; twelve; thirteen; fourteen; fifteen; sixteen; seventeen; eighteen; nineteen; twenty / eins; zwei; drei; vier; fünf; sechs; sieben; acht; neun; zehn; elf; zwölf; dreizehn; vierzehn; fünfzehn; sechzehn; siebzehn; achtzehn; neunzehn; zwanzig
number#1.5: one and a half; two and a half; three and a half; four and a half; five and a half; six and a half; seven and a half; eight and a half; nine and a half; ten and a half; eleven and a half; twelve and a half / eineinhalb; zweieinhalb; dreieinhalb; viereinhalb; fünfeinhalb; sechseinhalb; siebeneinhalb; achteinhalb; neuneinhalb; zehneinhalb; elfeinhalb; zwölfeinhalb
number=30;40;50;60;90;12;6;24;1;2;1.5: thirty; forty; fifty; sixty; ninety; dozen; half a dozen; two dozen; ; ;  / dreißig; vierzig; fünfzig; sechzig; neunzig; dutzend|ein dutzend|einem dutzend; halbes dutzend|ein halbes dutzend|einem halben dutzend; zwei dutzend; ein|eine|einer|einem|einen; zwo; anderthalb
past: last|past|previous|recent / letzten|letzte|letzter|vergangenen|vergangene|vergangener
pastOne: past /
ago: ago|earlier /
unit=minute;hour;day;week;month;year: minute|minutes|min|mins; hour|hours|hr|hrs; day|days; week|weeks; month|months; year|years / minute|minuten; stunde|stunden; tag|tage|tagen; woche|wochen; monat|monate|monaten; jahr|jahre|jahren
period=weekend;week;month;quarter;year: weekend|weekends|week end; week; month; quarter; year / wochenende|wochenendes; woche; monat|monats; quartal|quartals; jahr|jahres
last=-1: last|previous / letzte|letzten|letzter|letztes|letztem|vorige|vorigen|voriger|voriges|vorigem|vergangene|vergangenen|vergangener|vergangenes|vergangenem
lastButOne=-2: before last / vorletzte|vorletzten|vorletzter|vorletztes|vorletztem
this=0: this|the current|current / diese|diesen|dieser|dieses|diesem|aktuelle|aktuellen|aktueller|aktuelles|aktuellem|laufende|laufenden|laufender|laufendes
next=1: next / nächste*|kommende*
halfOf=0.5: half|half a|half an / halbe|halben|halb
one=1: a|an / ein|eine|einer|einem|einen
day=1;-2;-1;0;2: tomorrow; day before yesterday|the day before yesterday; yesterday|yesterday s; today|today s;  / morgigen tag; vorgestern; gestern|gestrige|gestrigen|gestrigen tage|der gestrige|dem gestrigen tage; heute|heutige|heutigen|dem heutigen tage; übermorgen
night=-1;-2;0;latest: last night; night before last|the night before last; tonight;  / letzte nacht|letzter nacht|letzten nacht; ; ; heute nacht
part=noon;afternoon;morning;evening;night: noon|midday|lunchtime|lunch time; afternoon|afternoons; morning|mornings|forenoon; evening|evenings; night|nights / mittag|mittags|mittagszeit; nachmittag|nachmittags; morgen|morgens|vormittag|vormittags|früh; abend|abends; nacht|nachts
partLead: in|at|during|on|over|around|about|towards|the|early|late / am|in der|im|zur|gegen|um die|frühen|früher|späten|später
direction=since;after;until;before;from: since|starting|starting from|starting at|starting on; after; until|till|up to|up until; before|prior to; from / seit|seitdem|ab; nach; bis|bis zum; vor|vor dem;
onwards: onwards|onward|and later|or later / und später|oder später
atTime: at|around|about|shortly at / um|gegen|ca|ca .|circa|etwa
joined: and|to|until|till|through|or|nor|-|– / und|bis|bis zum|oder|noch|-|–
onDay: on / am
dayLead: the|on the|am / am|vom|zum|dem|den|seit|bis|ab
half=early;night;late: in the morning|morning; at night|night; in the afternoon|in the evening|afternoon|evening / in der früh|früh|morgens|morgen|vormittags|vormittag; nachts|nacht; nachmittags|nachmittag|abends|abend|am abend|am nachmittag
mark=am;pm;h;clock: am|a . m|a . m .; pm|p . m|p . m .; h; o clock|oclock / ; ; uhr|h;
noon: noon|midday / mittag
midnight: midnight / mitternacht
offset=30;15;-15;-30: half past; quarter past|a quarter past; quarter to|a quarter to;  / ; viertel nach; viertel vor|dreiviertel; halb
third#0: early|beginning of|start of|first days of; mid|middle of|the middle of; late|end of|last days of / anfang|beginn|zu beginn; mitte; ende
nth#0: first; second; third; fourth; fifth / erste*; zweite*; dritte*; vierte*; fünfte*
nthMark: st|nd|rd|th|. / .
halves: half / hälfte
of: of|in|the|on / im|in|des|der|vom|von|dieses|den|dem
weekOf: week of|week from|week beginning|week starting / woche vom|woche ab|woche ab dem
monthOf: month of / monat
weekNumber: week|calendar week / kw|kalenderwoche|woche
weekday#1: monday|mondays; tuesday|tuesdays|tues; wednesday|wednesdays; thursday|thursdays|thur|thurs; friday|fridays; saturday|saturdays; sunday|sundays / montag|montags; dienstag|dienstags; mittwoch|mittwochs; donnerstag|donnerstags; freitag|freitags; samstag|samstags|sonnabend; sonntag|sonntags
shortDay#1: mon; tue; wed; thu; fri; sat; sun / mo; di; mi; do; fr; sa; so
month#1: january; february; march; april; ; june; july; august; september|sept; october; november; december / januar|jänner; februar; märz; april; mai; juni; juli; august; september|sept; oktober; november; dezember
shortMonth#1: jan; feb; mar; apr; may; jun; jul; aug; sep; oct; nov; dec / jan; feb; mär; apr; ; ; ; aug; sep; okt; nov; dez
beforeShort: in|since|during|last|this|until|before|after|on / im|seit|am|letzten
stop: a|an|and|any|all|are|as|at|be|been|by|can|could|did|do|does|for|from|get|give|had|has|have|having|he|her|him|his|how|i|if|in|into|is|it|its|list|look|looking|me|more|most|much|my|near|of|on|or|our|out|over|per|please|she|show|some|than|that|the|their|them|then|there|these|they|this|those|to|too|us|very|was|we|were|what|when|where|which|while|who|whose|why|will|with|you|your|events|happened|happening|occurred|find|search|display|during|between|since|until|before|after|anybody|anyone|someone|somebody|something|anything|time|times|day|days|level|levels|least|everything|involve|involves|involving|contain|contains|containing|include|includes|including|included|regarding|concerning|related|involved|happen|happens|want|wanted|need|got|see|seen|saw|gotten|every|each|another|other|others|also|really|hi|hello|thanks|thank|else|even|still|ever|here|going|go|went|come|came|comes|made|make|makes|took|take|takes|taking|within|along|across|again|able|lists|gives|given|everyone|everybody|would|should|might|must|like|stand|stands|standing|stood|whenever|wherever|whether|anywhere|somewhere|everywhere|nowhere|whatever|lasted|lasts|lasting|back|tell|about|being|am|im|id|ive|theres|lets|let|pls|plz|up|ones|extremely|gimme|lemme|wanna|kindly|hey|dear|onwards|onward|forward|later|single|now|just|currently / alle|allen|aller|alles|als|am|an|auf|aus|bei|beim|das|dass|dem|den|der|des|die|ein|eine|einem|einen|einer|es|für|gab|gibt|hat|hatte|haben|ich|ihr|im|in|ins|ist|mehr|mir|mit|nach|oder|sich|sie|sind|so|uns|und|vom|von|vor|war|waren|warum|was|wann|wer|wie|wir|wo|zeig|zeige|zeigen|suche|finde|finden|zu|zum|zur|welche|welcher|welches|jemand|zwischen|seit|bis|uhr|sehen|gesehen|passiert|passierte|geschehen|bitte|danke|etwas|gewesen|seien|sei|wurde|wurden|worden|werden|wird|kommt|kam|gerne|gern|mal|denn|doch|gesucht|dabei|dort|hier|anderen|andere|anderer|will|wollen|möchte|kannst|können|jemanden|irgend|irgendwo|irgendjemand|während|liegt|lag|steht|stand|stehen|stehn|standen|welchen|denen|dessen|deren|diese|dieser|dieses|diesen|diesem|jede|jeder|jedes|jeden|jedem|man|da|ob|auch|noch|schon|wenn|dann|weil|um|gegen|über|unter|zeigt|zeigst|such|find|gib|hätten|hatten|habe|hätte|konnte|kann|hab|hats|gabs|gebe|brauche|zeitraum|zeit|mich|dich|euch|allem|los|anzeigen|auflisten|liste|sowie|davon|wieder|immer|dauert|dauerte|dauerten|gedauert|musste|mussten|muss|müssen|sollte|sollten|durfte|durften|konnten|befand|befanden|wäre|irgendwelche|irgendein|irgendeine|sehr|extrem|besonders|später|innerhalb|außerhalb|sobald|falls|bevor|nachdem|lassen|gelassen|ließ|jetzt|gerade|eben|momentan|derzeit|ne|nen|nem|ner|rum|herum|umher|gleichzeitig|hallo|moin|einmal|laufe|tages|tagsüber|tag|ganze|ganzen|ganzer
waiters: / wartende|wartenden|anstehende|anstehenden
agoBefore: / vor
concept=thing queue/line/lineup: queue|queues|queueing|queuing|queued|line|lines|lineup|lined up|lining up / schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*
concept=thing wait: wait|waits|waiting|waited / warten|wartet|warteten|gewartet|wartend*|wartezeit*|wartedauer
concept=quality long: long / lange|langer|langes|langen|langem|lang
concept=quality short: short / kurze|kurzer|kurzen|kurzes|kurz
concept=quality empty/nobody: empty / leer|leere|leerer|leeren|leeres
concept=thing crowd/crowded: crowd|crowds|crowded|crowding|overcrowded / gedränge|menschenmenge*|menge|überfüllt*|andrang|menschenansammlung*|ansammlung*
concept=thing argue/arguing/quarrel/dispute/row: argue|argues|argued|arguing|argument|arguments|quarrel*|dispute|disputes / streit|streiten|streitet|stritt|stritten|gestritten|streitend*|streitigkeit*|streiterei*|auseinandersetzung*|zank*
concept=thing fight/fought/brawl/scuffle: fight|fights|fighting|fought|brawl*|scuffle* / schlägerei*|prügel*|kampf|kämpfe|kämpfen|rauferei*|handgreiflich*|schlagen sich
concept=thing push/shove: push|pushes|pushing|pushed|shov* / drängel*|schubs*|drängen|gedrängel*|gerangel|geschubse
concept=thing shout/yell/scream: shout|shouts|shouting|shouted|yell*|scream* / schreien|schreit|schrie*|geschrien|brüllen|brüllt|geschrei|schreiend*|gebrüll
concept=thing run: run|runs|running|ran / rennen|rennt|rennend*|laufen|läuft|rannte*
concept=thing fall/fell/collapse: fall|falls|falling|fell|fallen|collapse*|tripped / gestürzt|sturz|stürz*|hingefallen|gefallen
concept=thing child/children/kid: child|children|kid|kids|toddler*|baby|babies / kind|kinder|kindern|kleinkind*
concept=thing bag/suitcase/luggage/backpack: bag|bags|suitcase*|luggage|backpack* / tasche|taschen|koffer*|gepäck*|rucksack|rucksäcke
concept=quality unattended/abandoned/left behind: unattended|abandoned|left behind / herrenlos*|unbeaufsichtigt*|stehengelassen*|zurückgelassen*
concept=thing trolley/cart: trolley|trolleys|cart|carts / einkaufswagen|wagen
concept=thing cashier/staff/employee/clerk: cashier|cashiers / kassierer*|kassiererin*
concept=thing staff/cashier/employee/clerk: staff|employee*|clerk*|attendant* / mitarbeiter*|personal|angestellt*|verkäufer*
concept=thing leave/left/leaving/gave up/abandon: leave|leaves|leaving|gave up|give up|giving up|walk* away|walked out / verlassen|verlässt|verließ*|weggegangen|aufgegeben|gegangen|abgebrochen
concept=thing serve/service: serve|serves|served|serving|service / bedient|bedienen|bedienung
concept=thing dog/animal: dog|dogs / hund|hunde|hunden
concept=thing smoke/smoking/cigarette: smoke|smoking|smokes|smoked / rauch|rauchen|raucht|rauchend*
concept=thing fire/flames: fire|flames / feuer|brand
concept=thing blocked/obstruct: block|blocks|blocked|blocking|obstruct* / blockier*|versperr*|zugestellt
concept=quality close: closed|shut / geschlossen*
concept=quality open: open / offen|offene|offener|offenen|geöffnet*
concept=quality slow: slow|slowly / langsam*
concept=quality busy: busy / voll|volle|voller|beschäftigt
concept=thing steal/theft/stole/shoplift: steal|steals|stealing|stole|stolen|theft|thefts|thief|thieves|shoplift* / diebstahl|diebstähle|dieb|diebe|stehlen|gestohlen*|stiehlt|ladendieb*
concept=thing accident/injury: accident|accidents|injury|injured|injuries / unfall|unfälle|verletzt*|verletzung*
concept=thing vehicle/car/truck: vehicle|vehicles|car|cars|truck|trucks / auto|autos|fahrzeug*|lkw
concept=thing wheelchair: wheelchair* / rollstuhl*
concept=quality elderly/old: elderly / ältere|älterer|alte|alten|alter|altem|altes|senioren
concept=thing woman/women/female: woman|women / frau|frauen
concept=thing man/men/male: man|men / mann|männer|männern
concept=thing phone/mobile: phone|phones|smartphone* / handy|handys|telefon*
concept=thing pay: pay|pays|paying|paid|payment* / zahlen|zahlt|bezahl*|zahlung*
concept=thing complain: complain* / beschwer*
concept=thing security/guard: security|guard|guards / sicherheitsdienst*|wachmann|wachpersonal
concept=thing police: police / polizei
concept=quality aggressive/angry: aggressive|angry|angrily / aggressiv*|wütend*
concept=quality loud/noisy: loud|loudly|noisy / laut|laute|lautstark*|lärm*
concept=thing spill/wet: spill*|wet / nass|nasse|nasser|verschüttet*
concept=thing stroller/pram: stroller*|pram* / kinderwagen
concept=quality suspicious: suspicious* / verdächtig*
concept=thing loiter/linger: loiter*|lingering / herumlungern*|lungern
concept=place door: door|doors|doorway / tür|türen
concept=place entrance/entry: entrance|entrances|entry / eingang*|haupteingang*|eingänge*
concept=place exit: exit|exits / ausgang*|ausgänge*
concept=place checkout/till/register: checkout|checkouts|till|tills|register|registers|cash desk* / kasse|kassen
concept=place counter/desk: counter|counters|desk|desks / schalter|schaltern|theke|tresen
concept=place main: main / haupt
concept=place north: north|northern / nord|nördlich*
concept=place south: south|southern / süd|südlich*
concept=place east: east|eastern / ost|östlich*
concept=place west: west|western / westlich*
concept=place parking: parking|car park / parkplatz|parkhaus|parkplätze
concept=place bakery: bakery / bäckerei*
concept=place pharmacy: pharmacy / apotheke*
concept=place lobby/foyer: lobby|foyer / eingangshalle
concept=place area/zone: area|areas / bereich*
`;
