import { useState } from 'react';
import { api } from '../api/client.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { useChoices, useZone } from '../history/subjects.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { FIRST_WINDOW } from '../kit/form/schedule.ts';
import { ScheduleFields } from '../kit/form/schedule-fields.tsx';
import { Section } from '../kit/page.tsx';
import { FormFailure } from '../kit/states.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { Conditions } from './conditions.tsx';
import { bodyOf, type Draft, type Faults, previewPart, type RuleBody } from './draft.ts';
import type { Metric } from './metric-path.ts';
import { RulePreview } from './rule-preview.tsx';
import styles from './rules.module.css';

interface RuleEditorProps {
  /** Undefined for a new rule. */
  readonly id: string | undefined;
  readonly first: Draft;
  readonly catalogue: readonly Metric[];
}

/** The rule is read from its draft: nothing is lost while the page asks for a new sign-in. */
export function RuleEditor({ id, first, catalogue }: RuleEditorProps) {
  const t = useText('rules');
  const common = useText('common');
  const { may } = useSession();
  const [draft, setDraft] = useState(first);
  const [faults, setFaults] = useState<Faults>({});
  const choices = useChoices();
  const scenes = choices.data?.filter(({ kind }) => kind === 'scene') ?? [];
  const chosen = scenes.find((scene) => scene.id === draft.sceneId);
  const zone = useZone(chosen) ?? 'UTC';
  const save = useAction(
    (body: RuleBody) => {
      const sent = { ...body, conditions: [...body.conditions], schedule: body.schedule };
      return id === undefined
        ? api.POST('/alerts/rules', { body: sent })
        : api.PATCH('/alerts/rules/{id}', { params: { path: { id } }, body: sent });
    },
    { changes: [['rules'], ['overview']], onDone: () => goTo('/rules') },
  );
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faultOf = (path: string) => {
    const fault = faults[path];
    return fault && t.faults[fault];
  };
  const submit = () => {
    const { body, faults: found } = bodyOf(draft, catalogue);
    setFaults(found ?? {});
    if (body) save.mutate(body);
  };
  const isLocked = !may('alert:write');
  return (
    <form
      className={styles.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <fieldset disabled={isLocked} className={styles.plain}>
        <Section title={t.what}>
          <Field label={t.scene} error={save.error} path="sceneId" fault={faultOf('sceneId')}>
            {(attributes) => (
              <select
                {...attributes}
                value={draft.sceneId}
                onChange={({ target }) => change({ sceneId: target.value })}
              >
                <option value="" disabled>
                  {t.chooseScene}
                </option>
                {scenes.map((scene) => (
                  <option key={scene.id} value={scene.id}>
                    {scene.name}
                  </option>
                ))}
              </select>
            )}
          </Field>
          <Field label={t.name} hint={t.nameHint} error={save.error} path="name" fault={faultOf('name')}>
            {(attributes) => (
              <input
                {...attributes}
                maxLength={100}
                value={draft.name}
                onChange={({ target }) => change({ name: target.value })}
              />
            )}
          </Field>
        </Section>
        <Section title={t.when}>
          <Conditions {...{ draft, catalogue, faults, setDraft }} error={save.error} />
          <div className={styles.pair}>
            <Field
              label={t.duration}
              hint={t.durationHint}
              error={save.error}
              path="durationSeconds"
              fault={faultOf('durationSeconds')}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  inputMode="numeric"
                  value={draft.durationSeconds}
                  onChange={({ target }) => change({ durationSeconds: target.value })}
                />
              )}
            </Field>
            <Field
              label={t.cooldownField}
              hint={t.outOf('1', '1440')}
              error={save.error}
              path="cooldownMinutes"
              fault={faultOf('cooldownMinutes')}
            >
              {(attributes) => (
                <input
                  {...attributes}
                  inputMode="numeric"
                  value={draft.cooldownMinutes}
                  onChange={({ target }) => change({ cooldownMinutes: target.value })}
                />
              )}
            </Field>
          </div>
          <Field label={t.severity}>
            {(attributes) => (
              <select
                {...attributes}
                value={draft.severity}
                onChange={({ target }) =>
                  change({ severity: target.value === 'critical' ? 'critical' : 'warning' })
                }
              >
                <option value="warning">{t.severities.warning}</option>
                <option value="critical">{t.severities.critical}</option>
              </select>
            )}
          </Field>
          <Checkbox
            label={t.schedule}
            isOn={draft.schedule !== null}
            onChange={(isOn) =>
              change({ schedule: isOn ? { timezone: zone, windows: [FIRST_WINDOW] } : null })
            }
          />
          {draft.schedule && (
            <ScheduleFields
              schedule={draft.schedule}
              error={save.error}
              path="schedule"
              onChange={(schedule) => change({ schedule })}
            />
          )}
          <Field label={t.description} isOptional error={save.error} path="description">
            {(attributes) => (
              <textarea
                {...attributes}
                rows={2}
                maxLength={500}
                value={draft.description}
                onChange={({ target }) => change({ description: target.value })}
              />
            )}
          </Field>
        </Section>
      </fieldset>
      <section className={styles.tried} aria-label={t.preview}>
        <h2>{t.preview}</h2>
        {isLocked ? (
          <p className={styles.note}>{t.previewForbidden}</p>
        ) : (
          <RulePreview part={previewPart(draft, catalogue)} {...{ catalogue }} timezone={zone} />
        )}
      </section>
      <div className={styles.save}>
        <FormFailure error={save.error} />
        <div className={styles.row}>
          {!isLocked && (
            <Button kind="main" type="submit" icon="check" isBusy={save.isPending}>
              {common.save}
            </Button>
          )}
          <LinkButton href="#/rules">{common.cancel}</LinkButton>
        </div>
      </div>
    </form>
  );
}
