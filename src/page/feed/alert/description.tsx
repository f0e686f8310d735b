import { api, type Resource } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { Chip } from '../../kit/chip.tsx';
import { count } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { Async, Skeleton } from '../../kit/states.tsx';
import { localeNow, useText } from '../../text/text.ts';
import styles from '../feed.module.css';
import { FEED_KEY } from '../use-feed.ts';

type InsightDetail = Resource<'InsightDetail'>;

interface DescriptionProps {
  readonly insightId: string;
  /** Reads the description again when its state changes. */
  readonly status: InsightDetail['vlmStatus'];
}

/** The written description of an alert. All of it is text, whatever a model writes. */
export function Description({ insightId: id, status }: DescriptionProps) {
  const t = useText('feed');
  const query = useCall([FEED_KEY, 'insight', id, status], () =>
    api.GET('/analysis/insights/{id}', { params: { path: { id } } }),
  );
  return (
    <Section title={t.description}>
      <Async query={query} skeleton={<Skeleton lines={1} />}>
        {(insight) => <Written insight={insight} />}
      </Async>
    </Section>
  );
}

function Written({ insight }: { readonly insight: InsightDetail }) {
  const t = useText('feed');
  const { vlmStatus, vlmSummary, vlmStructuredResult: result, vlmError, vlmProvider } = insight;
  if (vlmStatus === 'failed') {
    return (
      <p>
        {t.failed}: {t.vlmErrors[vlmError ?? ''] ?? vlmError}
      </p>
    );
  }
  if (vlmSummary === null) return <p className="note">{t.pending}</p>;
  return (
    <div className={`stack ${styles.description}`}>
      <p className={styles.summary}>{vlmSummary}</p>
      {result && (
        <>
          <p className="row">
            <Chip>{t.persons(count(result.personCount, localeNow()), result.personCount === 1)}</Chip>
          </p>
          <dl className="details">
            {result.activities.length > 0 && (
              <>
                <dt>{t.activities}</dt>
                <dd>{result.activities.join(', ')}</dd>
              </>
            )}
            {result.environment !== '' && (
              <>
                <dt>{t.environment}</dt>
                <dd>{result.environment}</dd>
              </>
            )}
          </dl>
          {result.suggestions.length > 0 && (
            <>
              <h3>{t.suggestions}</h3>
              <ul>
                {result.suggestions.map((suggestion) => (
                  <li key={suggestion}>{suggestion}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      <p className="note">{vlmProvider === 'rules' ? t.byRules : t.byModel}</p>
    </div>
  );
}
