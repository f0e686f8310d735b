import type { Lexicon } from './lexicon.ts';

/** "Not", "no", "without": the next phrase is denied. */
const NOT =
  'no|not|non|without|never|neither|nor|isn t|aren t|wasn t|weren t|don t|doesn t|didn t|cannot|none of|nothing|ohne|kein|keine|keinen|keinem|keiner|keines|nicht|weder|nichts|nie|nein|pas|sans|aucun|aucune|aucuns|aucunes|jamais|rien|ni|sin|ningún|ninguna|ninguno|ningun*|nunca|nada|tampoco|senza|nessun|nessuna|nessuno|niente|né|не|нет|без|ни|ничего|никак*|geen|niet|zonder|nao|sem|nenhum*|不是|没有|不|非';
/** Words among them that stand before a noun: "no queue" means an empty one. */
const NONE_OF =
  'no|without|ohne|kein|keine|keinen|keinem|keiner|sans|pas de|pas d|aucun|aucune|sin|ningun*|senza|nessun|nessuna|без|нет|нету|geen|zonder|sem|nenhum*|没有';
/** "Except": the next phrase is denied together with its place. */
const EXCEPT =
  'except|except for|excepting|but not|excluding|exclude|exclude the|other than|apart from|aside from|besides|everything but|all but|anything but|anywhere but|everywhere but|minus|hide|skip|omit|leave out|filter out|außer|ausser|außer bei|bis auf|ausgenommen|abgesehen von|mit ausnahme von|mit ausnahme der|mit ausnahme des|ausschließlich nicht|ohne die|ausblenden|sauf|excepte|hormis|hors|a part|à l exception de|à l exception des|à l exclusion de|en dehors de|excluant|exclure|autre que|autres que|excepto|salvo|a excepción de|con excepción de|exceptuando|aparte de|excluyendo|excluir|menos la|menos el|menos las|menos los|todo menos|todas menos|todos menos|que no sea|que no sean de|tranne|eccetto|salvo|ad eccezione di|ad eccezione della|ad eccezione del|a parte|escluso|esclusa|esclusi|escluse|escludendo|escludi|fuorché|all infuori di|tutto meno|tutti meno|кроме|за исключением|исключая|исключив|помимо|не считая|behalve|exceto|除了|除';
/** Words with the same meaning after the denied phrase. */
const EXCLUDED =
  'excluded|not included|excepted|ausgenommen|ausgeschlossen|nicht|exclu|exclus|exclue|exclues|excepté|exceptée|excluido|excluida|excluidos|excluidas|aparte|escluso|esclusa|esclusi|escluse|a parte|исключить|не нужны|не нужно|не надо|не показывать|以外|を除く|除外|以外の';
/** "Not only", "not without": these words deny nothing. */
const NOT_DENIED =
  'not only|not just|not without|nicht nur|nicht ohne|pas seulement|pas sans|non seulement|no solo|no solamente|no sólo|no sin|non solo|non soltanto|non senza|не только|не без|no matter';
const NOBODY =
  'nobody|no one|noone|no people|no customers|no persons|niemand|niemanden|keiner|keine kunden|keine leute|keine personen|keine menschen|kein kunde|kein mensch|ohne kunden|ohne leute|ohne personen|ohne menschen|without anyone|without anybody|without people|without customers|not anyone|nadie|ningún cliente|ninguna persona|sin gente|sin clientes|sin personas|sin nadie|nessuno|nessun cliente|nessuna persona|senza clienti|senza persone|senza nessuno|aucun client|aucune personne|sans personne|sans client|sans clients|sans gens|personne n|personne ne|никто|никого|нет людей|без людей|без клиентов|без покупателей|ни одного человека|ни одного покупателя|нет покупателей|нет клиентов|没有人|没人|无人';
const BUT = 'but|however|aber|sondern|jedoch|doch|mais|pero|sino|ma|però|bensì|но|а|maar|mas|但|但是|而是';
const ONLY =
  'only|just|solely|nur|lediglich|ausschließlich|seulement|uniquement|juste|solo|sólo|solamente|únicamente|soltanto|solamente|unicamente|только|лишь|alleen|somente|apenas|只|仅';
const AND = 'and|und|sowie|et|y|e|ed|и|en|和|,|&|/|と';
const OR = 'or|nor|oder|noch|weder|ou|ni|o|u|né|или|либо|ни|neither|of|或|か';

/**
 * Prepositions of place, as "at". A word marked `strong` never stands before a queue in the sense of people, as "in"
 * does.
 */
const AT =
  'at|near|outside|bei|beim|am|an|vor|à|au|aux|près de|près du|devant|chez|al|alla|allo|all|presso|vicino a|vicino alla|vicino all|davanti a|davanti alla|cerca de|junto a|frente a|у|возле|около|рядом с|bij|perto de|在';
const IN =
  'in|on|by|from|inside|of|for|im|ins|auf|von|vom|aus|in der|zur|zum|dans|en|sur|de|du|des|d|del|dello|della|dell|dal|dalla|nel|nella|nell|nello|sul|sulla|su|da|di|на|в|во|с|со|от|из|к|op|aan|van|no|na|nos|nas|em|do|para|per|por|pour|für';
const ARTICLE =
  'the|our|my|a|an|der|die|das|dem|den|des|ein|eine|einer|einem|einen|le|la|les|l|un|une|el|los|las|una|uno|il|lo|gli|i|unsere*|unser*|notre|nuestr*|nostr*|наш*|de|het|o|os|as';
const PLACE_WORD =
  'scene|scenes|camera|cameras|device|devices|zone|zones|szene*|kamera*|gerät*|caméra*|scène*|appareil*|escena*|cámara*|dispositivo*|zona|zonas|scena|scene|telecamer*|videocamer*|сцен*|камер*|устройств*|зон*';
const ALERT =
  'alert|alerts|alarm|alarms|alarme|alarmen|alarmes|event|events|insight|insights|incident|incidents|notification*|meldung*|ereignis*|vorfall|vorfälle*|alerte|alertes|événement*|incidents|alerta|alertas|alarma|alarmas|evento|eventos|incidente|incidentes|incidenti|allarme|allarmi|allerta|allerte|eventi|segnalazion*|тревог*|событи*|оповещени*|уведомлени*|инцидент*|сигнал*';

/** Words of questions that only a report could answer; they become no filter. */
const UNANSWERABLE =
  'how many|how much|how often|average|mean|median|sum of|count of|number of|compare|compared|comparison|versus|vs|trend|trends|busiest|most|least often|best|worst|why|predict|forecast|percentage|percent|wie viele|wie viel|wieviel|wieviele|wie oft|durchschnitt*|vergleich*|warum|prognose|prozent|meisten|combien|moyenne|comparer|comparaison|pourquoi|prévision*|pourcentage|cuántos|cuántas|cuánto|promedio|comparar|comparación|por qué|pronóstico|porcentaje|quanti|quante|quanto|confronta|confronto|perché|previsione|percentuale|сколько|среднее|сравни*|почему|прогноз*|процент*';

export function addMarkerWords(lexicon: Lexicon): void {
  lexicon
    .add('not', true, NOT)
    .add('noneOf', true, NONE_OF)
    .add('except', true, EXCEPT)
    .add('excluded', true, EXCLUDED)
    .add('notDenied', true, NOT_DENIED)
    .add('nobody', true, NOBODY)
    .add('but', true, BUT)
    .add('only', true, ONLY)
    .add('and', true, AND)
    .add('or', true, OR)
    .add('at', 'strong', AT)
    .add('at', 'weak', IN)
    .add('article', true, ARTICLE)
    .add('placeWord', true, PLACE_WORD)
    .add('alert', true, ALERT)
    .add('unanswerable', true, UNANSWERABLE);
}
