import { useEffect } from 'react';
import { useLocation } from 'wouter';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Async, Empty, Failure, Skeleton } from '../kit/states.tsx';
import { usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { HistoryOf } from './history-of.tsx';
import {
  type Choice,
  rememberSubject,
  useChoices,
  useHiddenScene,
  useZone,
  usualChoice,
} from './subjects.ts';
import { parseView, type Subject } from './view.ts';

const KINDS = { scenes: 'scene', sites: 'site' } as const;

/** What the address names: `/history/scenes/ID`, `/history/sites/ID`, or `/reports/ID` of a message. */
function subjectOf(place: string): Subject | undefined {
  const [, first, second, third] = place.split('/');
  if (first === 'reports' && second) return { kind: 'site', id: second };
  const kind = KINDS[second as keyof typeof KINDS];
  return kind && third ? { kind, id: third } : undefined;
}

export default function HistoryScreen() {
  const t = useText('history');
  const choices = useChoices();
  return (
    <Page title={t.title} isWide hasBar>
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
    : usualChoice(choices);
  const hidden = useHiddenScene(!listed && subject?.kind === 'scene' ? subject.id : undefined);
  const choice = listed ?? hidden.data;
  const timezone = useZone(choice);
  useEffect(() => {
    if (listed && subject) rememberSubject(listed);
  });
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
  // The time of a recording lies in the past: without a time in the address its own is shown.
  const isTimeless = !view.span && !view.lastDay;
  const shown = isTimeless && choice.recorded ? { ...view, span: choice.recorded } : view;
  return <HistoryOf choices={all} choice={choice} timezone={timezone} view={shown} />;
}

const isGone = (error: Error): boolean => 'status' in error && (error.status === 404 || error.status === 400);
