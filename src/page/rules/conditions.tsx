import type { Dispatch, SetStateAction } from 'react';
import { Button } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { useText } from '../text/text.ts';
import {
  type Draft,
  type DraftCondition,
  type Faults,
  MOST_CONDITIONS,
  OPERATOR_NAMES,
  type Operator,
  withChange,
  withCondition,
  withoutCondition,
} from './draft.ts';
import { inWindow, type Metric, metricsOf, splitPath, WINDOWS, type Window } from './metric-path.ts';
import { metricName, unitOf } from './rule-words.ts';
import styles from './rules.module.css';

interface ConditionsProps {
  readonly draft: Draft;
  readonly catalogue: readonly Metric[];
  readonly faults: Faults;
  readonly error: unknown;
  readonly setDraft: Dispatch<SetStateAction<Draft>>;
}

/** The conditions of a rule: over which time, which number, how compared, with which limit. */
export function Conditions({ draft, catalogue, faults, error, setDraft }: ConditionsProps) {
  const t = useText('rules');
  return (
    <>
      {draft.conditions.map((condition, at) => (
        <Condition
          key={condition.key}
          {...{ condition, at, catalogue, faults, error }}
          onChange={(part) => setDraft((before) => withChange(before, condition.key, part))}
          onRemove={
            draft.conditions.length > 1
              ? () => setDraft((before) => withoutCondition(before, condition.key))
              : undefined
          }
        />
      ))}
      {draft.conditions.length > 1 && (
        <Field label={t.logic}>
          {(attributes) => (
            <select
              {...attributes}
              value={draft.logicOperator}
              onChange={({ target }) => {
                const logicOperator = target.value === 'AND' ? 'AND' : 'OR';
                setDraft((before) => ({ ...before, logicOperator }));
              }}
            >
              <option value="AND">{t.logics.AND}</option>
              <option value="OR">{t.logics.OR}</option>
            </select>
          )}
        </Field>
      )}
      {draft.conditions.length < MOST_CONDITIONS && (
        <div className={styles.row}>
          <Button icon="plus" onClick={() => setDraft(withCondition)}>
            {t.addCondition}
          </Button>
        </div>
      )}
    </>
  );
}

interface ConditionProps {
  readonly condition: DraftCondition;
  readonly at: number;
  readonly catalogue: readonly Metric[];
  readonly faults: Faults;
  readonly error: unknown;
  readonly onChange: (part: Partial<DraftCondition>) => void;
  readonly onRemove: (() => void) | undefined;
}

function Condition({ condition, at, catalogue, faults, error, onChange, onRemove }: ConditionProps) {
  const t = useText('rules');
  const { compared } = useText('metrics');
  const { metricPath, operator, threshold } = condition;
  const { window } = splitPath(metricPath);
  const unit = t.units[unitOf(catalogue, metricPath)];
  const path = `conditions[${at}].threshold`;
  const fault = faults[path];
  return (
    <fieldset className={styles.condition}>
      <legend>{t.conditionOf(at + 1)}</legend>
      <Field label={t.window}>
        {(attributes) => (
          <select
            {...attributes}
            value={window}
            onChange={({ target }) =>
              onChange({ metricPath: inWindow(catalogue, metricPath, target.value as Window) })
            }
          >
            {WINDOWS.map((known) => (
              <option key={known} value={known}>
                {t.windows[known]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.metric} error={error} path={`conditions[${at}].metricPath`}>
        {(attributes) => (
          <select
            {...attributes}
            value={metricPath}
            onChange={({ target }) => onChange({ metricPath: target.value })}
          >
            {metricsOf(catalogue, window).map((metric) => (
              <option key={metric.path} value={metric.path}>
                {metricName(metric.path, catalogue)}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field label={t.operator}>
        {(attributes) => (
          <select
            {...attributes}
            value={operator}
            onChange={({ target }) => onChange({ operator: target.value as Operator })}
          >
            {OPERATOR_NAMES.map((name) => (
              <option key={name} value={name}>
                {compared[name]}
              </option>
            ))}
          </select>
        )}
      </Field>
      <Field
        label={unit === '' ? t.threshold : `${t.threshold} (${unit})`}
        error={error}
        path={path}
        fault={fault && t.faults[fault]}
      >
        {(attributes) => (
          <input
            {...attributes}
            inputMode="decimal"
            value={threshold}
            onChange={({ target }) => onChange({ threshold: target.value })}
          />
        )}
      </Field>
      {onRemove && (
        <Button kind="quiet" icon="trash" aria-label={t.removeCondition(at + 1)} onClick={onRemove} />
      )}
    </fieldset>
  );
}
