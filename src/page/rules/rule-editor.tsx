import { useState } from 'react';
import { api } from '../api/client.ts';
import { fieldError } from '../api/error-text.ts';
import { useAction } from '../api/query.ts';
import { useSession } from '../api/session.tsx';
import { type Choice, useChoices, useZone } from '../history/subjects.ts';
import { Button, LinkButton } from '../kit/button.tsx';
import { Field } from '../kit/field.tsx';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { FIRST_WINDOW } from '../kit/form/schedule.ts';
import { ScheduleFields } from '../kit/form/schedule-fields.tsx';
import { SelectField } from '../kit/form/select-field.tsx';
import { NameField, TextField } from '../kit/form/text-field.tsx';
import { FormFailure } from '../kit/states.tsx';
import { goTo } from '../shell/place.ts';
import { useText } from '../text/text.ts';
import { Conditions } from './conditions.tsx';
import {
  bodyOf,
  type Draft,
  EXAMPLES,
  type Example,
  type Faults,
  previewPart,
  type RuleBody,
  withExample,
} from './draft.ts';
import type { Metric } from './metric-path.ts';
import { RulePreview } from './rule-preview.tsx';
import { suggestedName } from './rule-words.ts';
import styles from './rules.module.css';
import { channelsOf } from './told.ts';
import { useTelling, useTold, Who } from './who.tsx';

const EXAMPLE_NAMES = Object.keys(EXAMPLES) as Example[];

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
  const [sites, scenes] = (['site', 'scene'] as const).map((kind) =>
    (choices.data ?? []).filter((choice) => choice.kind === kind),
  ) as [Choice[], Choice[]];
  const chosen = choices.data?.find(({ id }) => id === (draft.siteId || draft.sceneId));
  const known = useZone(chosen);
  const zone = known ?? 'UTC';
  /** A timetable that began now would have another time zone than its place. */
  const isZoneComing = choices.isPending || (chosen !== undefined && known === undefined);
  const told = useTold();
  const found = channelsOf(told.subscriptions, {
    id,
    deviceId: chosen?.deviceId,
    siteIds: draft.siteId ? [draft.siteId] : (chosen?.siteIds ?? []),
    severity: draft.severity,
  });
  const [channels, setChannels] = useState<readonly string[] | null>(null);
  const chosenChannels = channels ?? found.own.map(({ channelId }) => channelId);
  const telling = useTelling();
  const save = useAction(
    (body: RuleBody) => {
      const sent = { ...body, conditions: [...body.conditions], schedule: body.schedule };
      return id === undefined
        ? api.POST('/alerts/rules', { body: sent })
        : api.PATCH('/alerts/rules/{id}', { params: { path: { id } }, body: sent });
    },
    {
      changes: [['rules'], ['overview']],
      onDone: (rule) =>
        telling.mutate(
          { ruleId: rule.id, own: found.own, channelIds: channels ?? undefined },
          { onSuccess: () => goTo('/rules') },
        ),
    },
  );
  const change = (part: Partial<Draft>) => setDraft((before) => ({ ...before, ...part }));
  const faultOf = (path: string) => {
    const fault = faults[path];
    return fault && t.faults[fault];
  };
  const suggested = suggestedName(t, draft, catalogue);
  const submit = () => {
    const { body, faults: wrong } = bodyOf({ ...draft, name: draft.name.trim() || suggested }, catalogue);
    setFaults(wrong ?? {});
    if (body) save.mutate(body);
  };
  const isLocked = !may('alert:write');
  return (
    <form
      className={styles.editor}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isLocked) submit();
      }}
    >
      <fieldset disabled={isLocked} className="stack">
        {id === undefined && (
          <div className="row">
            {EXAMPLE_NAMES.map((example) => (
              <Button key={example} onClick={() => setDraft((before) => withExample(before, example))}>
                {t.examples[example]}
              </Button>
            ))}
          </div>
        )}
        <div className={`card ${styles.sentence}`}>
          {!isLocked && (
            <Who channels={told.channels} wide={found.wide} chosen={chosenChannels} onChange={setChannels} />
          )}
          <Conditions {...{ draft, catalogue, faults, setDraft }} error={save.error} />
          <div className={`row ${styles.words}`}>
            <span>{t.atWord}</span>
            <select
              className="control-box"
              aria-label={t.scene}
              aria-invalid={faultOf('sceneId') ? true : undefined}
              value={draft.siteId || draft.sceneId}
              onChange={({ target: { value } }) =>
                change(
                  sites.some(({ id }) => id === value)
                    ? { siteId: value, sceneId: '' }
                    : { siteId: '', sceneId: value },
                )
              }
            >
              <option value="" disabled>
                {t.chooseScene}
              </option>
              {sites.map(({ id, name }) => (
                <option key={id} value={id}>
                  {t.allOf(name)}
                </option>
              ))}
              {scenes.map((scene) => (
                <option key={scene.id} value={scene.id}>
                  {scene.name}
                </option>
              ))}
            </select>
            <span>{t.forWord}</span>
            <input
              className="control-box"
              aria-label={t.duration}
              aria-invalid={faultOf('durationSeconds') ? true : undefined}
              inputMode="decimal"
              size={4}
              value={draft.durationMinutes}
              onChange={({ target }) => change({ durationMinutes: target.value })}
            />
            <span>{t.minutesWord}</span>
          </div>
          {(['sceneId', 'durationSeconds'] as const).map((path) => {
            const wrong = faultOf(path) ?? fieldError(save.error, path);
            return (
              wrong && (
                <p key={path} className="fault">
                  {wrong}
                </p>
              )
            );
          })}
        </div>
        <NameField
          label={t.name}
          hint={t.nameHint}
          isOptional
          error={save.error}
          placeholder={suggested}
          value={draft.name}
          onChange={(value) => change({ name: value })}
        />
        <details open={draft.schedule !== null || undefined}>
          <summary>{t.further}</summary>
          <div className="stack">
            <div className="fields">
              <SelectField
                label={t.severity}
                value={draft.severity}
                onChange={(next) => change({ severity: next === 'critical' ? 'critical' : 'warning' })}
              >
                <option value="warning">{t.severities.warning}</option>
                <option value="critical">{t.severities.critical}</option>
              </SelectField>
              <TextField
                label={t.cooldownField}
                hint={t.outOf('1', '1440')}
                error={save.error}
                path="cooldownMinutes"
                fault={faultOf('cooldownMinutes')}
                inputMode="numeric"
                value={draft.cooldownMinutes}
                onChange={(value) => change({ cooldownMinutes: value })}
              />
            </div>
            <Checkbox
              label={t.schedule}
              isOn={draft.schedule !== null}
              isDisabled={isZoneComing}
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
          </div>
        </details>
      </fieldset>
      <section className={`stack ${styles.tried}`} aria-label={t.preview}>
        <h2>{t.preview}</h2>
        {isLocked ? (
          <p className="note">{t.previewForbidden}</p>
        ) : (
          <RulePreview
            part={previewPart(draft, catalogue)}
            {...{ catalogue }}
            timezone={zone}
            scenes={
              draft.siteId
                ? scenes.filter(({ siteIds }) => siteIds?.includes(draft.siteId))
                : scenes.filter(({ id }) => id === draft.sceneId)
            }
          />
        )}
      </section>
      <div className={`stack ${styles.save}`}>
        <FormFailure error={save.error ?? telling.error} />
        <div className="row">
          {!isLocked && (
            <Button kind="main" type="submit" icon="check" isBusy={save.isPending || telling.isPending}>
              {common.save}
            </Button>
          )}
          <LinkButton href="#/rules">{common.cancel}</LinkButton>
        </div>
      </div>
    </form>
  );
}
