/** The languages whose dates are understood, in the order in which they are tried. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'ru', 'zh', 'ja'] as const;
export type Language = (typeof LANGUAGES)[number];

// Function words without accents. They are not searched, and they identify a language.
const WORDS: Record<Language, string> = {
  en: 'a an and any all are as at be been by can could did do does for from get give had has have having he her him his how i if in insight insights into is it its list look looking me more most much my near of on or our out over per please she show some than that the their them then there these they this those to too us very was we were what when where which while who whose why will with without you your alert alerts event events happened happening occurred find search display during between since until before after than people person persons anybody anyone someone somebody something anything time times day days today level levels least',
  de: 'alle allen aller alles als am an auf aus bei beim das dass dem den der des die ein eine einem einen einer es fur gab gibt hat hatte haben ich ihr im in ins ist mehr mir mit nach oder sich sie sind so uns und vom von vor war waren warum was wann wer wie wir wo zeig zeige zeigen suche finde finden zu zum zur alarme alarm alarmen ereignisse ereignis welche welcher welches jemand leute personen person zwischen seit bis uhr',
  fr: 'a au aux avec c ce ces cet cette d dans de des devant du elle en est et etait etaient eu il ils j je l la le les leur lui ma me mes moi montre montrez trouve trouver affiche n ne nous on ou par pas plus pour qu que quel quelle quelles quels qui quand s sa se ses son sont sur toutes tous tout toute un une vos votre vous y alerte alertes evenement evenements personne personnes gens entre depuis jusqu avant apres',
  es: 'a al algo alguien ante como con cual cuales cuando de del desde donde durante e el ella ellos en entre era eran es esa ese eso esta estaba estaban estas este esto fue fueron ha habia han hasta hay la las le lo los mas me mi muestra muestrame mostrar busca buscar encuentra mucho muy no nos o para pero por que quien se ser si sin sobre son su sus te tiene todas todo todos un una unas uno unos y ya alerta alertas evento eventos persona personas gente',
  it: 'a ad ai al alla alle allo anche c che chi ci come con cosa cui da dagli dai dal dalla dalle davanti degli dei del dell della delle dello di dove e ed era erano gli ha hanno i il in io l la le lo loro ma mi mostra mostrami cerca trova ne nei nel nella nelle non o per perche piu quale quali quando quanto questa queste questi questo sono su sul sulla tra fra tutte tutti tutto un una uno avviso avvisi allarme allarmi allerta evento eventi persona persone',
  nl: 'aan als al alle bij dan dat de deze die dit door een en er had heb hebben heeft het hoe ik in is je kan laat me meer met mij mijn na naar niet nog of om onze ook op over te toon toen tot uit van veel voor waar waren was wat welke werd wie wij zien zijn zoek zonder melding meldingen alarmen gebeurtenis gebeurtenissen mensen personen persoon tussen sinds',
  pt: 'a ao aos as ate com como da das de dela dele do dos e ela eles em entre era essa esse esta estava estavam este foi foram ha isso mais mas me meu mostra mostre mostrar na nao nas nem no nos o os ou para pela pelas pelo pelos por procure qual quais quando que quem se sem ser seu sua sao todas todos um uma umas uns alerta alertas evento eventos pessoa pessoas gente',
  ru: 'а без был была были было в во все всех где для до его ее если есть еще же за и из или их к как какие какой когда кто ли мне мы на над не но о об он она они от по под при с со так там то у что эта эти это я покажи покажите найди найти тревоги тревога тревог события событие оповещения люди человек людей',
  zh: '的 了 在 是 有 和 与 我 请 显示 查找 所有 全部 警报 告警 报警 事件 什么 哪些 哪里 时候 人 个 里 上 中',
  ja: 'の に は を が で と も から まで アラート 警報 イベント すべて 全て 全部 表示 検索 して した する ください いる いた ある あった 人 見せて',
};

/** Function words that do not identify a language: verbs of asking and being, and words around places. */
const MORE =
  'everything alles involve involves involving contain contains containing include includes including included regarding concerning related involved happen happens want wanted need got see seen saw gotten anything every each another other others also really please hi hello thanks thank else then than even still ever here going go went come came comes made make makes took take takes taking during within along across still again whose able list lists give given everyone everybody ' +
  'sehen gesehen passiert passierte geschehen bitte danke etwas gewesen seien sei wurde wurden worden werden wird kommt kam gerne mal denn doch gesucht dabei dort hier anderen andere anderer will wollen mochte kannst konnen jemanden irgend irgendwo irgendjemand waehrend wahrend liegt lag steht stand stehen standen welchen ' +
  'voir ont ete ai soit soient serait avaient ayant avoir etre fait font eu lieu passe cote pres proche veux veut cherche chercher donne donner merci peux pouvez svp ou quelqu quelque quelques chose autre autres aussi ' +
  'sea sean sido ser seria habido hubo habian visto ver quiero quiere dame cerca junto otro otra otros otras tambien favor gracias algun alguna algunos algunas todas estuvo estuvieron paso pasa ' +
  'siano sia stato stata stati state stava stavano erano vedere visto voglio vorrei dammi vicino dentro fuori altro altra altri altre anche favore grazie qualcuno qualcosa qualche successo ' +
  'все всё всего всех будь были будет быть бывает видно видеть хочу нужно нужны можно пожалуйста спасибо рядом около возле другой другие также тоже случилось произошло происходит был находится стоит стоят кто-то кто-нибудь чем наш наши нашей моих мой моей которые который которая которых';

const BY_LANGUAGE = LANGUAGES.map((language) => [language, new Set(WORDS[language].split(' '))] as const);
const ALL = new Set([...BY_LANGUAGE.flatMap(([, words]) => [...words]), ...MORE.split(' ')]);

/** @param word lower case, without accents */
export const isStopWord = (word: string): boolean => ALL.has(word);

/** The likely languages, most likely first: by script, else by function words. */
export function guessLanguages(plainText: string): Language[] {
  const words = plainText.match(/[\p{L}]+/gu) ?? [];
  const score = ([language, own]: (typeof BY_LANGUAGE)[number]): number => {
    if (language === 'ru') return /\p{sc=Cyrillic}/u.test(plainText) ? 100 : 0;
    if (language === 'ja') return /[\p{sc=Hiragana}\p{sc=Katakana}]/u.test(plainText) ? 100 : 0;
    if (language === 'zh') return /\p{sc=Han}/u.test(plainText) ? 50 : 0;
    return words.filter((word) => own.has(word)).length;
  };
  const scores = new Map(BY_LANGUAGE.map((entry) => [entry[0], score(entry)]));
  return LANGUAGES.toSorted((a, b) => scores.get(b)! - scores.get(a)!);
}
