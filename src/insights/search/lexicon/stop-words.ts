import type { Language } from './lexicon.ts';

// Function words without accents. They are not searched, and they tell the language of a query.
const WORDS: Readonly<Record<'en' | 'de', string>> = {
  en:
    'a an and any all are as at be been by can could did do does for from get give had has have having he her him his how i if in into is it its list look looking me more most much my near of on or our out over per please she show some than that the their them then there these they this those to too us very was we were what when where which while who whose why will with you your events happened happening occurred find search display during between since until before after anybody anyone someone somebody something anything time times day days level levels least ' +
    'everything involve involves involving contain contains containing include includes including included regarding concerning related involved happen happens want wanted need got see seen saw gotten anything every each another other others also really hi hello thanks thank else even still ever here going go went come came comes made make makes took take takes taking within along across again able lists gives given everyone everybody would should might must like stand stands standing stood whenever wherever whether anywhere somewhere everywhere nowhere whatever lasted lasts lasting back tell about were being am im id ive theres lets let pls plz up ones extremely really gimme lemme wanna kindly hey dear onwards onward forward later lasted lasts lasting single now just currently',
  de:
    'alle allen aller alles als am an auf aus bei beim das dass dem den der des die ein eine einem einen einer es fur gab gibt hat hatte haben ich ihr im in ins ist mehr mir mit nach oder sich sie sind so uns und vom von vor war waren warum was wann wer wie wir wo zeig zeige zeigen suche finde finden zu zum zur welche welcher welches jemand zwischen seit bis uhr ' +
    'sehen gesehen passiert passierte geschehen bitte danke etwas gewesen seien sei wurde wurden worden werden wird kommt kam gerne gern mal denn doch gesucht dabei dort hier anderen andere anderer will wollen mochte kannst konnen jemanden irgend irgendwo irgendjemand waehrend wahrend liegt lag steht stand stehen stehn standen welchen ' +
    'wo denen dessen deren diese dieser dieses diesen diesem jede jeder jedes jeden jedem man da ob auch noch schon wenn dann weil um gegen ueber uber unter zeigt zeigst such find gib hatten habe haette hatten konnte kann war es war hab hats gabs gebe brauche zeitraum zeit mich dich uns euch allem los anzeigen auflisten liste sowie war davon wieder immer dauert dauerte dauerten gedauert musste mussten muss mussen sollte sollten durfte durften konnten befand befanden waere ware irgendwelche irgendein irgendeine sehr extrem besonders spater innerhalb ausserhalb sobald falls bevor nachdem lassen gelassen liess jetzt gerade eben momentan derzeit ne nen nem ner rum herum umher gleichzeitig hallo moin einmal laufe tages tagsuber',
};

const SETS = {
  en: new Set(WORDS.en.split(' ')),
  de: new Set(WORDS.de.split(' ')),
  other: new Set<string>(),
} satisfies Record<Language, ReadonlySet<string>>;

/** @param word lower case, without accents */
export const isStopWord = (word: string, language: Language): boolean => SETS[language].has(word);
