import type { Dispatch, ReactNode, SetStateAction } from 'react';
import { fieldError } from '../api/error-text.ts';
import { Button } from '../kit/button.tsx';
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

/** The conditions of a rule as parts of its sentence: which number, how compared, with which limit, over which time. */
export function Conditions({ draft, catalogue, faults, error, setDraft }: ConditionsProps) {
  const t = useText('rules');
  return (
    <>
      {draft.conditions.map((condition, at) => (
        <Condition
          key={condition.key}
          {...{ condition, at, catalogue, faults, error }}
          before={
            at === 0 ? (
              t.whenWord
            ) : at === 1 ? (
              <select
                className="control-box"
                aria-label={t.logic}
                value={draft.logicOperator}
                onChange={({ target }) => {
                  const logicOperator = target.value === 'AND' ? 'AND' : 'OR';
                  setDraft((before) => ({ ...before, logicOperator }));
                }}
              >
                <option value="AND">{t.and}</option>
                <option value="OR">{t.or}</option>
              </select>
            ) : draft.logicOperator === 'AND' ? (
              t.and
            ) : (
              t.or
            )
          }
          onChange={(part) => setDraft((before) => withChange(before, condition.key, part))}
          onRemove={
            draft.conditions.length > 1
              ? () => setDraft((before) => withoutCondition(before, condition.key))
              : undefined
          }
        />
      ))}
      {draft.conditions.length < MOST_CONDITIONS && (
        <div className="row">
          <Button kind="quiet" icon="plus" onClick={() => setDraft(withCondition)}>
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
  /** The words before it. */
  readonly before: ReactNode;
  readonly onChange: (part: Partial<DraftCondition>) => void;
  readonly onRemove: (() => void) | undefined;
}

function Condition({ condition, at, catalogue, faults, error, before, onChange, onRemove }: ConditionProps) {
  const t = useText('rules');
  const { compared } = useText('metrics');
  const { metricPath, operator, threshold } = condition;
  const { window } = splitPath(metricPath);
  const unit = t.units[unitOf(catalogue, metricPath)];
  const path = `conditions[${at}].threshold`;
  const fault = faults[path];
  const wrong = [
    fault && t.faults[fault],
    fieldError(error, path),
    fieldError(error, `conditions[${at}].metricPath`),
  ].find(Boolean);
  return (
    <fieldset className={`row ${styles.words}`}>
      <legend className="only-for-readers">{t.conditionOf(at + 1)}</legend>
      <span>{before}</span>
      <select
        className="control-box"
        aria-label={t.metric}
        value={metricPath}
        onChange={({ target }) => onChange({ metricPath: target.value })}
      >
        {metricsOf(catalogue, window).map((metric) => (
          <option key={metric.path} value={metric.path}>
            {metricName(metric.path, catalogue)}
          </option>
        ))}
      </select>
      <select
        className="control-box"
        aria-label={t.operator}
        value={operator}
        onChange={({ target }) => onChange({ operator: target.value as Operator })}
      >
        {OPERATOR_NAMES.map((name) => (
          <option key={name} value={name}>
            {compared[name]}
          </option>
        ))}
      </select>
      <input
        className="control-box"
        aria-label={unit === '' ? t.threshold : `${t.threshold} (${unit})`}
        aria-invalid={wrong ? true : undefined}
        inputMode="decimal"
        size={5}
        value={threshold}
        onChange={({ target }) => onChange({ threshold: target.value })}
      />
      {unit !== '' && <span>{unit}</span>}
      <select
        className="control-box"
        aria-label={t.window}
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
      {onRemove && (
        <Button kind="quiet" icon="trash" aria-label={t.removeCondition(at + 1)} onClick={onRemove} />
      )}
      {wrong && <p className="fault">{wrong}</p>}
    </fieldset>
  );
}
