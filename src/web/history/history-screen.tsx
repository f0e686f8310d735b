import { useLocation } from 'wouter';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Async, Empty, Failure, Skeleton } from '../kit/states.tsx';
import { usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { HistoryOf } from './history-of.tsx';
import { type Choice, useChoices, useHiddenScene, useZone } from './subjects.ts';
import { parseView, type Subject } from './view.ts';

/** What the address names: `/history/scene/ID`, `/history/site/ID`, or `/reports/ID` of a message. */
function subjectOf(place: string): Subject | undefined {
  const [, first, second, third] = place.split('/');
  if (first === 'reports' && second) return { kind: 'site', id: second };
  return (second === 'scene' || second === 'site') && third ? { kind: second, id: third } : undefined;
}

export default function HistoryScreen() {
  const t = useText('history');
  const choices = useChoices();
  return (
    <Page title={t.title} isWide>
      <Async query={choices}>{(all) => <Chosen choices={all} />}</Async>
    </Page>
  );
}

function Chosen({ choices }: { readonly choices: readonly Choice[] }) {
  const t = useText('history');
  const [place] = useLocation();
  const view = parseView(usePlaceQuery());
  const subject = subjectOf(place);
  const listed = subject
    ? choices.find(({ kind, id }) => kind === subject.kind && id === subject.id)
    : choices[0];
  const hidden = useHiddenScene(!listed && subject?.kind === 'scene' ? subject.id : undefined);
  const choice = listed ?? hidden.data;
  const timezone = useZone(choice);
  if (!subject && choices.length === 0) {
    return (
      <Empty
        title={t.noScenes}
        icon="history"
        action={<LinkButton href="#/cameras">{t.addCamera}</LinkButton>}
      >
        {t.noScenesText}
      </Empty>
    );
  }
  if (hidden.isFetching && !choice) return <Skeleton />;
  if (!choice) {
    return hidden.error && !isGone(hidden.error) ? (
      <Failure error={hidden.error} onRetry={() => void hidden.refetch()} />
    ) : (
      <Empty title={t.gone} icon="history" action={<LinkButton href="#/history">{t.title}</LinkButton>}>
        {t.goneText}
      </Empty>
    );
  }
  if (timezone === undefined) return <Skeleton />;
  const all = listed ? choices : [...choices, choice];
  return <HistoryOf choices={all} choice={choice} timezone={timezone} view={view} />;
}

const isGone = (error: Error): boolean => 'status' in error && (error.status === 404 || error.status === 400);
