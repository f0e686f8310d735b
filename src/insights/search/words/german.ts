/** The words of German, as those of English; letters with dots are also read as two letters. */
export const GERMAN = `
not: kein|keine|keinen|keinem|keiner|keines|nicht|weder|nichts|nie|niemals|nein|ohne
noneOf: ohne|kein|keine|keinen|keinem|keiner
except: außer|ausser|außer bei|bis auf|ausgenommen|abgesehen von|mit ausnahme von|mit ausnahme der|mit ausnahme des|ausblenden|ohne die|aber nicht
excluded: ausgenommen|ausgeschlossen|ausblenden|nicht|nein
notDenied: nicht nur|nicht ohne
nobody: niemand|niemanden|niemandem|keiner|keine kunden|keine leute|keine personen|keine menschen|kein kunde|kein mensch|keine person|ohne kunden|ohne leute|ohne personen|ohne menschen
but: aber|sondern|jedoch|doch
only: nur|lediglich|ausschließlich|bloß
and: und|sowie|,|&
or: oder|noch|weder|/|beziehungsweise|bzw
at=strong: bei|beim|am|an|vor|neben|nahe|in der nähe von|in der nähe der|in der nähe des
at=weak: in|im|ins|auf|von|vom|aus|zur|zum|für|vorm
article: der|die|das|dem|den|des|ein|eine|einer|einem|einen|ne|nen|nem|ner|unsere*|unser*
present: zur zeit|zurzeit|im augenblick|gerade jetzt
placeWord: szene*|kamera*|gerät*|zone|zonen
alert: alarm|alarme|alarmen|alarms|event|events|meldung*|ereignis*|vorfall|vorfälle*|einblick*|beschreibung*|benachrichtigung*|situation|situationen|lage|lagen|bild|bilder|bildern|foto|fotos|aufnahme|aufnahmen|video|videos|moment|momente|momenten|nachricht|nachrichten|fall|fälle|fällen|eintrag|einträge|einträgen|ergebnis|ergebnisse|zusammenfassung*|momentaufnahme*|clip|clips|sachen|dinge
unanswerable: wie lang|wie lange|wie groß|wie voll|wie viele|wie viel|wieviel|wieviele|wie oft|durchschnitt*|vergleich*|warum|prognose|prozent|meisten|zu viele|zu lang|zu lange|viele|vielen|neueste*|neuste*|jüngste*|kürzlich|längste*|kürzeste*|größte*|höchste*|kleinste*|niedrigste*|mehrere|mehreren|einige|wenige
level=low: niedrig*|gering*
level=medium: mittler*|mittel|mittelhoh*|mäßig*
level=high: hoh|hoher|hohe|hohes|hohem|hohen|hoch
level=critical: kritisch*
severity=critical: kritisch*
severity=warning: warnung*|warnmeldung*|warnhinweis*
risk: risiko*|risiken|gefahrenstufe
severityWord: schweregrad*|dringlichkeit
stage: level|niveau*|stufe*
orHigher=GTE: oder höher*|und höher*|oder mehr|und mehr|oder schlimmer|oder darüber|aufwärts
orHigher=LTE: oder niedriger*|oder geringer*|oder darunter|oder weniger
grave: riskant*|gefährlich*|bedrohlich*|dringend*|gefahr|gefahren|ernst*
compare=GT: mehr als|über|größer als|höher als|oberhalb von|überschr*|überstieg*|übersteigt|>
compare=GT length: länger als|langsamer als
compare=LT: weniger als|unter|kleiner als|geringer als|unterschr*|<
compare=LT length: kürzer als|schneller als
compare=GTE: mindestens|mind|mind .|min|min .|wenigstens|minimal|zumindest|nicht weniger als|nicht unter|erreichte*|erreicht|> =|≥
compare=GTE time: ab
compare=LTE: höchstens|maximal|nicht mehr als|nicht länger als|nicht über|max|max .|< =|≤
compare=LTE time: bis zu
compare=EQ: genau|exakt|=
orMore=GTE: +|oder mehr|oder länger|und mehr|oder darüber|plus|und länger|aufwärts|mindestens
orMore=LTE: oder weniger|oder kürzer|höchstens|maximal|oder darunter|und weniger
seconds=1: s|sek|sekunde|sekunden|sec
seconds=60: m|min|minute|minuten
seconds=3600: h|std|stunde|stunden
whole=1800: einer halben stunde|eine halbe stunde|halbe stunde|halben stunde
whole=30: einer halben minute|eine halbe minute|halbe minute
whole=900: einer viertelstunde|eine viertelstunde|viertelstunde
whole=2700: dreiviertelstunde|eine dreiviertelstunde|einer dreiviertelstunde
whole=5400: anderthalb stunden|eineinhalb stunden
whole=90: anderthalb minuten|eineinhalb minuten
subject=wait: wartezeit*|warten|wartet|warteten|wartete|gewartet|wartend*|wartedauer
subject=service: service|bedienung*|bedienzeit*|bedient|bedienen|abfertigung*|servicezeit*|bediendauer
subject=queue: schlange|schlangen|warteschlange*|kassenschlange*|menschenschlange*|anstehen|anstehend*|anstanden|angestanden
subject=queueSize: schlangenlänge*|länge der schlange|warteschlangenlänge*
people: personen|person|leute|leuten|kunden|kunde|kundinnen|menschen|mensch|besucher*|gästen|gäste|gast|patienten|käufer*|pers|pers .
waiters: wartende|wartenden|anstehende|anstehenden
group: gruppe von|gruppen von|gruppe mit
countOf: mit|von
between: zwischen|von|vom
to: und|bis|bis zu|-|–
empty: leer*
number=1: ein|eine|einer|einem|einen
number=2: zwo
number=12: dutzend|ein dutzend|einem dutzend
number=24: zwei dutzend
number=6: halbes dutzend|ein halbes dutzend|einem halben dutzend
number=1.5: anderthalb
past: letzten|letzte|letzter|vergangenen|vergangene|vergangener
agoBefore: vor
unit=minute: minute|minuten
unit=hour: stunde|stunden
unit=day: tag|tage|tagen
unit=week: woche|wochen
unit=month: monat|monate|monaten
unit=year: jahr|jahre|jahren
period=weekend: wochenende|wochenendes
period=week: woche
period=month: monat|monats
period=quarter: quartal|quartals
period=year: jahr|jahres
last=-1: letzte|letzten|letzter|letztes|letztem|vorige|vorigen|voriger|voriges|vorigem|vergangene|vergangenen|vergangener|vergangenes|vergangenem
lastButOne=-2: vorletzte|vorletzten|vorletzter|vorletztes|vorletztem
this=0: diese|diesen|dieser|dieses|diesem|aktuelle|aktuellen|aktueller|aktuelles|aktuellem|laufende|laufenden|laufender|laufendes
next=1: nächste*|kommende*
halfOf=0.5: halbe|halben|halb
one=1: ein|eine|einer|einem|einen
day=1: morgigen tag
day=2: übermorgen
day=-2: vorgestern
day=-1: gestern|gestrige|gestrigen|gestrigen tage|der gestrige|dem gestrigen tage
day=0: heute|heutige|heutigen|dem heutigen tage
night=-1: letzte nacht|letzter nacht|letzten nacht
night=latest: heute nacht
part=noon: mittag|mittags|mittagszeit
part=afternoon: nachmittag|nachmittags
part=morning: morgen|morgens|vormittag|vormittags|früh
part=evening: abend|abends
part=night: nacht|nachts
partLead: am|in der|im|zur|gegen|um die|frühen|früher|späten|später
direction=since: seit|seitdem|ab
direction=after: nach
direction=until: bis|bis zum
direction=before: vor|vor dem
onwards: und später|oder später
atTime: um|gegen|ca|ca .|circa|etwa
joined: und|bis|bis zum|oder|noch|-|–
onDay: am
dayLead: am|vom|zum|dem|den|seit|bis|ab
half=early: in der früh|früh|morgens|morgen|vormittags|vormittag
half=night: nachts|nacht
half=late: nachmittags|nachmittag|abends|abend|am abend|am nachmittag
mark=h: uhr|h
noon: mittag
midnight: mitternacht
offset=-30: halb
offset=15: viertel nach
offset=-15: viertel vor|dreiviertel
third#0: anfang|beginn|zu beginn; mitte; ende
nth#0: erste*; zweite*; dritte*; vierte*; fünfte*
nthMark: .
halves: hälfte
of: im|in|des|der|vom|von|dieses|den|dem
weekOf: woche vom|woche ab|woche ab dem
monthOf: monat
weekNumber: kw|kalenderwoche|woche
weekday#1: montag|montags; dienstag|dienstags; mittwoch|mittwochs; donnerstag|donnerstags; freitag|freitags; samstag|samstags|sonnabend; sonntag|sonntags
shortDay#1: mo; di; mi; do; fr; sa; so
month#1: januar|jänner; februar; märz; april; mai; juni; juli; august; september|sept; oktober; november; dezember
shortMonth#1: jan; feb; mär; apr; ; ; ; aug; sep; okt; nov; dez
beforeShort: im|seit|am|letzten
stop: alle|allen|aller|alles|als|am|an|auf|aus|bei|beim|das|dass|dem|den|der|des|die|ein|eine|einem|einen|einer|es|für|gab|gibt|hat|hatte|haben|ich|ihr|im|in|ins|ist|mehr|mir|mit|nach|oder|sich|sie|sind|so|uns|und|vom|von|vor|war|waren|warum|was|wann|wer|wie|wir|wo|zeig|zeige|zeigen|suche|finde|finden|zu|zum|zur|welche|welcher|welches|jemand|zwischen|seit|bis|uhr|sehen|gesehen|passiert|passierte|geschehen|bitte|danke|etwas|gewesen|seien|sei|wurde|wurden|worden|werden|wird|kommt|kam|gerne|gern|mal|denn|doch|gesucht|dabei|dort|hier|anderen|andere|anderer|will|wollen|möchte|kannst|können|jemanden|irgend|irgendwo|irgendjemand|während|liegt|lag|steht|stand|stehen|stehn|standen|welchen
stop: denen|dessen|deren|diese|dieser|dieses|diesen|diesem|jede|jeder|jedes|jeden|jedem|man|da|ob|auch|noch|schon|wenn|dann|weil|um|gegen|über|unter|zeigt|zeigst|such|find|gib|hätten|hatten|habe|hätte|konnte|kann|hab|hats|gabs|gebe|brauche|zeitraum|zeit|mich|dich|euch|allem|los|anzeigen|auflisten|liste|sowie|davon|wieder|immer|dauert|dauerte|dauerten|gedauert|musste|mussten|muss|müssen|sollte|sollten|durfte|durften|konnten|befand|befanden|wäre|irgendwelche|irgendein|irgendeine|sehr|extrem|besonders|später|innerhalb|außerhalb|sobald|falls|bevor|nachdem|lassen|gelassen|ließ|jetzt|gerade|eben|momentan|derzeit|ne|nen|nem|ner|rum|herum|umher|gleichzeitig|hallo|moin|einmal|laufe|tages|tagsüber|tag|ganze|ganzen|ganzer
`;
