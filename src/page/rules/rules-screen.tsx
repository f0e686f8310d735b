import { useLocation } from 'wouter';
import { api } from '../api/client.ts';
import { useCall } from '../api/query.ts';
import { Can } from '../api/session.tsx';
import { LinkButton } from '../kit/button.tsx';
import { Page } from '../kit/page.tsx';
import { Async, Empty, Skeleton } from '../kit/states.tsx';
import { usePlaceQuery } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { draftOf, newDraft } from './draft.ts';
import { RuleEditor } from './rule-editor.tsx';
import { RuleList } from './rule-list.tsx';
import { useCatalogue } from './use-catalogue.ts';

export default function RulesScreen() {
  const t = useText('rules');
  const [place] = useLocation();
  const id = place.split('/')[2];
  if (id === 'new') return <NewRule />;
  if (id) return <ChangedRule id={id} />;
  return (
    <Page
      title={t.title}
      lead={t.lead}
      actions={
        <Can scope="alert:write">
          <LinkButton kind="main" icon="plus" href="#/rules/new">
            {t.add}
          </LinkButton>
        </Can>
      }
    >
      <RuleList />
    </Page>
  );
}

function NewRule() {
  const t = useText('rules');
  const metrics = useCatalogue();
  const sceneId = new URLSearchParams(usePlaceQuery()).get('sceneId') ?? '';
  return (
    <Page title={t.newTitle} backTo="/rules" isWide>
      <Async query={metrics}>
        {() => <RuleEditor id={undefined} first={newDraft(sceneId)} catalogue={metrics.catalogue} />}
      </Async>
    </Page>
  );
}

function ChangedRule({ id }: { readonly id: string }) {
  const t = useText('rules');
  const metrics = useCatalogue();
  const rule = useCall(
    ['rules', 'one', id],
    () => api.GET('/alerts/rules/{id}', { params: { path: { id } } }),
    {
      // What is typed must not be replaced by an answer.
      staleTime: Number.POSITIVE_INFINITY,
      gcTime: 0,
    },
  );
  const isGone = rule.error && 'status' in rule.error && [400, 404].includes(Number(rule.error.status));
  return (
    <Page title={t.editTitle} backTo="/rules" isWide>
      {isGone ? (
        <Empty title={t.gone} icon="rules" action={<LinkButton href="#/rules">{t.toRules}</LinkButton>} />
      ) : (
        <Async query={rule}>
          {(found) =>
            metrics.data ? (
              <RuleEditor id={id} first={draftOf(found, metrics.catalogue)} catalogue={metrics.catalogue} />
            ) : (
              <Skeleton />
            )
          }
        </Async>
      )}
    </Page>
  );
}
