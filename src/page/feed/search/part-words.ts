import { duration, number } from '../../kit/numbers.ts';
import { showTime, type TimeOptions } from '../../kit/time.ts';
import type { Texts } from '../../text/en/all.ts';
import type { SearchChip, SearchPart } from './search-chips.ts';

type FeedTexts = Texts['feed'];

/** A condition of a search in words. */
export function chipWords(chip: SearchChip, texts: FeedTexts, options: TimeOptions): string {
  const words = chip.parts.map((part) => partWords(part, texts, options)).join(texts.and);
  return chip.isExcluded ? texts.notChip(words) : words;
}

function partWords(given: SearchPart, { part, or, riskLevel }: FeedTexts, options: TimeOptions): string {
  const { locale } = options;
  switch (given.field) {
    case 'severity':
      return part.severity[given.value];
    case 'riskLevel':
      return part.risk(given.value.map((level) => riskLevel[level]).join(or));
    case 'persons':
    case 'queueLength':
      return part[given.field](`${part.bounds[given.operator]} ${number(given.value, locale)}`);
    case 'waitSeconds':
    case 'serviceSeconds':
      return part[given.field](`${part.bounds[given.operator]} ${duration(given.value, locale)}`);
    case 'time': {
      const { from, before } = given.value;
      const words = [
        from !== null && part.from(showTime(from, 'dayTime', options)),
        before !== null && part.before(showTime(before, 'dayTime', options)),
      ];
      return words.filter(Boolean).join(', ');
    }
    case 'place': {
      const { names = [], deviceIds, sceneIds } = given.value;
      return [...new Set(names)].join(or) || [...deviceIds, ...sceneIds].join(or);
    }
    case 'word':
      return part.word(given.value);
  }
}
