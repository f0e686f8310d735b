import { type FormEvent, useState } from 'react';
import { Button } from '../../kit/button.tsx';
import { Chip } from '../../kit/chip.tsx';
import { count } from '../../kit/numbers.ts';
import { Async, Empty } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { AlertRow } from '../alert-row.tsx';
import styles from '../feed.module.css';
import { itemOfInsight } from '../feed-item.ts';
import { useHomeZone } from '../use-places.ts';
import { chipWords } from './part-words.ts';
import { chipsOf, withoutChip } from './search-chips.ts';
import { type SearchRequest, useSearch } from './use-search.ts';

const MOST_LETTERS = 500;

interface SearchFormProps {
  /** What is searched for now; empty for nothing. */
  readonly words: string;
  /** Empty words end the search. */
  readonly onSearch: (words: string) => void;
}

export function SearchForm({ words: searched, onSearch }: SearchFormProps) {
  const t = useText('feed');
  const [words, setWords] = useState(searched);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSearch(words.trim());
  };
  return (
    <search>
      <form className={`row ${styles.search}`} onSubmit={submit}>
        <input
          className="control-box"
          type="search"
          enterKeyHint="search"
          aria-label={t.search}
          placeholder={t.search}
          title={t.searchHint}
          maxLength={MOST_LETTERS}
          value={words}
          onChange={({ target }) => setWords(target.value)}
        />
        <Button type="submit" kind="main" icon="search" aria-label={t.searchButton} />
        {searched !== '' && (
          <Button kind="quiet" onClick={() => onSearch('')}>
            {t.endSearch}
          </Button>
        )}
      </form>
    </search>
  );
}

interface SearchResultsProps {
  readonly request: SearchRequest;
  readonly onChange: (request: SearchRequest | null) => void;
}

/** What was found, below how the words were understood. Each condition can be removed. */
export function SearchResults({ request, onChange }: SearchResultsProps) {
  const t = useText('feed');
  const locale = localeNow();
  const query = useSearch(request);
  return (
    <Async query={query}>
      {({ data, total, interpretation }) => (
        <>
          <Understood interpretation={interpretation} onChange={onChange} />
          {data.length === 0 ? (
            <Empty icon="search" title={t.nothingFound}>
              {t.nothingFoundHint}
            </Empty>
          ) : (
            <div className="stack">
              <p className="note" role="status">
                {t.found(count(total, locale), count(data.length, locale))}
              </p>
              <ul className={`stack ${styles.rows}`}>
                {data.map((insight) => (
                  <AlertRow key={insight.id} item={itemOfInsight(insight)} isDated />
                ))}
              </ul>
            </div>
          )}
        </>
      )}
    </Async>
  );
}

type Found = NonNullable<ReturnType<typeof useSearch>['data']>;

interface UnderstoodProps {
  readonly interpretation: Found['interpretation'];
  readonly onChange: SearchResultsProps['onChange'];
}

function Understood({ interpretation, onChange }: UnderstoodProps) {
  const t = useText('feed');
  const timezone = useHomeZone();
  const { parts, keywordMatch, unusedWords, corrected, activityKeywords, limitedBy } = interpretation;
  const chips = chipsOf(parts);
  const locale = localeNow();
  return (
    <section className={`note ${styles.understood}`} aria-label={t.understood}>
      {chips.length > 0 && (
        <ul className="row">
          {chips.map((chip) => {
            const words = chipWords(chip, t, { locale, timezone });
            const rest = withoutChip(parts, chip);
            return (
              <li key={chip.key}>
                <Chip
                  removeLabel={t.removeChip(words)}
                  onRemove={() => onChange(rest.length === 0 ? null : { parts: rest })}
                >
                  {words}
                </Chip>
              </li>
            );
          })}
        </ul>
      )}
      {limitedBy && <p>{t.otherLanguage[limitedBy]}</p>}
      {corrected.map(({ text, to }) => (
        <p key={text}>{t.corrected(text, to)}</p>
      ))}
      {unusedWords.length > 0 && <p>{t.unused(unusedWords.join(', '))}</p>}
      {keywordMatch === 'any' && activityKeywords.length > 1 && <p>{t.anyWord}</p>}
      {keywordMatch === 'none' && <p>{t.noWord}</p>}
    </section>
  );
}
