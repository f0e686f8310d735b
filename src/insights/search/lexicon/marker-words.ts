import type { Lexicon } from './lexicon.ts';

const EN = {
  /** The next phrase is denied. */
  not: 'no|not|non|without|never|neither|nor|isn t|aren t|wasn t|weren t|don t|doesn t|didn t|cannot|none of|nothing|lacking',
  /** Those that stand before a noun: "no queue" means an empty one. */
  noneOf: 'no|without',
  /** The next phrase is denied together with its place. */
  except:
    'except|except for|excepting|but not|excluding|exclude|exclude the|other than|apart from|aside from|besides|everything but|all but|anything but|anywhere but|everywhere but|minus|hide|skip|omit|leave out|filter out',
  /** The same after the denied phrase. */
  excluded: 'excluded|not included|excepted',
  /** These deny nothing. */
  notDenied: 'not only|not just|not without|no matter',
  nobody:
    'nobody|no one|noone|no people|no customers|no persons|no shoppers|no guests|no visitors|without anyone|without anybody|without people|without customers|not anyone|not anybody|not a single person|not a single customer',
  but: 'but|however',
  only: 'only|just|solely',
  and: 'and|,|&',
  or: 'or|nor|neither|/',
  /** Prepositions that never stand before a queue in the sense of people, as "in" does. */
  at: 'at|near|outside|beside|close to|in front of|next to',
  in: 'in|on|by|from|inside|of|for|to|within|around',
  /** They name no range of time. */
  present: 'right now|at present',
  article: 'the|our|my|a|an|this|that',
  placeWord: 'scene|scenes|camera|cameras|cam|device|devices|zone|zones',
  /** What is searched, and the medium in which it is seen: these words are not searched. */
  alert:
    'alert|alerts|alarm|alarms|event|events|insight|insights|incident|incidents|notification*|situation|situations|picture|pictures|image|images|photo|photos|video|videos|moment|moments|footage|snapshot|snapshots|clip|clips|recording|recordings|case|cases|occurrence*|occasion|occasions|message|messages|report|reports|entries|entry|result|results|summary|summaries|description|descriptions|scenario|scenarios|instances|instance',
  /** Words of questions that only a report could answer; they become no filter. */
  unanswerable:
    'how long|how big|how full|how many|how much|how often|average|mean|median|sum of|count of|number of|compare|compared|comparison|versus|vs|trend|trends|busiest|most|least often|best|worst|why|predict|forecast|percentage|percent|too many|too long|many|too much|latest|newest|recent|recently|longest|shortest|largest|biggest|highest|lowest|several|a lot of|lots of|fewest',
};

const DE: typeof EN = {
  not: 'kein|keine|keinen|keinem|keiner|keines|nicht|weder|nichts|nie|niemals|nein|ohne',
  noneOf: 'ohne|kein|keine|keinen|keinem|keiner',
  except:
    'außer|ausser|außer bei|bis auf|ausgenommen|abgesehen von|mit ausnahme von|mit ausnahme der|mit ausnahme des|ausblenden|ohne die|aber nicht',
  excluded: 'ausgenommen|ausgeschlossen|ausblenden|nicht|nein',
  notDenied: 'nicht nur|nicht ohne',
  nobody:
    'niemand|niemanden|niemandem|keiner|keine kunden|keine leute|keine personen|keine menschen|kein kunde|kein mensch|keine person|ohne kunden|ohne leute|ohne personen|ohne menschen',
  but: 'aber|sondern|jedoch|doch',
  only: 'nur|lediglich|ausschließlich|bloß',
  and: 'und|sowie|,|&',
  or: 'oder|noch|weder|/|beziehungsweise|bzw',
  at: 'bei|beim|am|an|vor|neben|nahe|in der nähe von|in der nähe der|in der nähe des',
  in: 'in|im|ins|auf|von|vom|aus|zur|zum|für|vorm',
  present: 'zur zeit|zurzeit|im augenblick|gerade jetzt',
  article: 'der|die|das|dem|den|des|ein|eine|einer|einem|einen|ne|nen|nem|ner|unsere*|unser*',
  placeWord: 'szene*|kamera*|gerät*|zone|zonen',
  alert:
    'alarm|alarme|alarmen|alarms|event|events|meldung*|ereignis*|vorfall|vorfälle*|einblick*|beschreibung*|benachrichtigung*|situation|situationen|lage|lagen|bild|bilder|bildern|foto|fotos|aufnahme|aufnahmen|video|videos|moment|momente|momenten|nachricht|nachrichten|fall|fälle|fällen|eintrag|einträge|einträgen|ergebnis|ergebnisse|zusammenfassung*|momentaufnahme*|clip|clips|eintrag|sachen|dinge',
  unanswerable:
    'wie lang|wie lange|wie groß|wie voll|wie viele|wie viel|wieviel|wieviele|wie oft|durchschnitt*|vergleich*|warum|prognose|prozent|meisten|zu viele|zu lang|zu lange|viele|vielen|neueste*|neuste*|jüngste*|kürzlich|längste*|kürzeste*|größte*|höchste*|kleinste*|niedrigste*|mehrere|mehreren|einige|wenige',
};

export function addMarkerWords(lexicon: Lexicon, language: 'en' | 'de'): void {
  const { at, in: weak, ...kinds } = language === 'en' ? EN : DE;
  for (const [kind, words] of Object.entries(kinds)) lexicon.add(kind, true, words);
  lexicon.add('at', 'strong', at).add('at', 'weak', weak);
}
