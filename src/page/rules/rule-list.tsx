import { useState } from 'react';
import { placeName } from '../../catalogue/words/place-name.ts';
import { api, type Resource } from '../api/client.ts';
import { useAction, useList } from '../api/query.ts';
import { Can, useSession } from '../api/session.tsx';
import { Age } from '../kit/age.tsx';
import { Button, LinkButton } from '../kit/button.tsx';
import { Chip } from '../kit/chip.tsx';
import { ConfirmDialog } from '../kit/form/confirm-dialog.tsx';
import { count } from '../kit/numbers.ts';
import { Empty, Failure, FormFailure, MoreButton, Skeleton } from '../kit/states.tsx';
import { localeNow, useText } from '../text/text.ts';
import type { Metric } from './metric-path.ts';
import { metricWords, ruleSentence } from './rule-words.ts';
import styles from './rules.module.css';
import { useCatalogue } from './use-catalogue.ts';

type Rule = Resource<'AlertRule'>;

/** Whether a rule fires changes by the second; a list shows it this often. */
const REFRESH_MS = 10_000;
const CHANGES = { changes: [['rules'], ['overview']] } as const;

export function RuleList() {
  const t = useText('rules');
  const { may } = useSession();
  const { catalogue } = useCatalogue();
  const rules = useList(
    ['rules', 'list'],
    (page) => api.GET('/alerts/rules', { params: { query: { page, limit: 50 } } }),
    { refetchInterval: REFRESH_MS },
  );
  const [deleted, setDeleted] = useState<Rule | null>(null);
  if (rules.isPending) return <Skeleton lines={4} />;
  return (
    <>
      {rules.error && <Failure error={rules.error} onRetry={() => void rules.refetch()} />}
      {rules.total === 0 &&
        (may('alert:write') ? (
          <Empty
            title={t.none}
            icon="rules"
            action={
              <LinkButton kind="main" icon="plus" href="#/rules/new">
                {t.add}
              </LinkButton>
            }
          >
            {t.noneText}
          </Empty>
        ) : (
          <Empty title={t.none} icon="rules">
            {t.noneViewer}
          </Empty>
        ))}
      <ul className={styles.list}>
        {rules.items.map((rule) => (
          <RuleCard key={rule.id} rule={rule} catalogue={catalogue} onDelete={() => setDeleted(rule)} />
        ))}
      </ul>
      <MoreButton list={rules} />
      {deleted && <DeleteDialog rule={deleted} onClose={() => setDeleted(null)} />}
    </>
  );
}

interface RuleCardProps {
  readonly rule: Rule;
  readonly catalogue: readonly Metric[];
  readonly onDelete: () => void;
}

function RuleCard({ rule, catalogue, onDelete }: RuleCardProps) {
  const t = useText('rules');
  const locale = localeNow();
  const isOff = rule.status === 'disabled';
  const toggle = useAction(
    () =>
      api.PATCH('/alerts/rules/{id}', {
        params: { path: { id: rule.id } },
        body: { status: isOff ? 'enabled' : 'disabled' },
      }),
    CHANGES,
  );
  const state = rule.isFiring ? 'firing' : isOff ? 'disabled' : 'watching';
  const firingTone = rule.severity === 'critical' ? 'bad' : 'warn';
  const tone = { firing: firingTone, disabled: 'off', watching: 'good' } as const;
  return (
    <li className={styles.rule}>
      <div className={styles.head}>
        <h2>{rule.name}</h2>
        <div className={styles.row}>
          <Chip tone={tone[state]}>{t.states[state]}</Chip>
          <Chip>{t.severities[rule.severity]}</Chip>
        </div>
      </div>
      <p>{ruleSentence(t, rule, { catalogue, locale })}</p>
      <p className={styles.note}>
        {placeName(rule.device.name, rule.scene.name)} ·{' '}
        {rule.triggerCount === 0 ? (
          t.neverFired
        ) : (
          <>
            {t.fired(count(rule.triggerCount, locale), rule.triggerCount === 1)}, {t.last}{' '}
            <Age since={rule.lastTriggeredAt} />
          </>
        )}
      </p>
      {rule.description && <p className={styles.note}>{rule.description}</p>}
      {rule.unmeasuredPaths.length > 0 && (
        <p className={styles.warning}>
          {t.unmeasured(rule.unmeasuredPaths.map((path) => metricWords(t, path, catalogue)).join(', '))}
        </p>
      )}
      <Can scope="alert:write">
        <FormFailure error={toggle.error} />
        <div className={styles.row}>
          <LinkButton icon="edit" href={`#/rules/${rule.id}`}>
            {t.edit}
            <span className="only-for-readers"> {rule.name}</span>
          </LinkButton>
          <Button
            isBusy={toggle.isPending}
            icon={isOff ? 'play' : 'pause'}
            onClick={() => toggle.mutate(undefined)}
          >
            {isOff ? t.enable : t.disable}
          </Button>
          <Button kind="quiet" icon="trash" onClick={onDelete} aria-label={`${t.delete} ${rule.name}`} />
        </div>
      </Can>
    </li>
  );
}

function DeleteDialog({ rule, onClose }: { readonly rule: Rule; readonly onClose: () => void }) {
  const t = useText('rules');
  const remove = useAction(() => api.DELETE('/alerts/rules/{id}', { params: { path: { id: rule.id } } }), {
    ...CHANGES,
    onDone: onClose,
  });
  return (
    <ConfirmDialog title={t.deleteTitle} confirm={t.delete} action={remove} onClose={onClose}>
      <p>{t.deleteText(rule.name)}</p>
    </ConfirmDialog>
  );
}
