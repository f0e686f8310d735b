import { useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { Can } from '../../api/session.tsx';
import { Time } from '../../kit/age.tsx';
import { Button } from '../../kit/button.tsx';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { ImageView } from '../../kit/image-view.tsx';
import { duration, NOTHING, number, percent, count as whole } from '../../kit/numbers.ts';
import { Section } from '../../kit/page.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { localeNow, useText } from '../../text/text.ts';
import { SceneZones } from '../scene-zones.tsx';
import styles from './check.module.css';
import { type CheckPlace, figuresOf, type Opened } from './checks.ts';
import { MODES } from './counting.ts';
import { TimesResult } from './times/times-result.tsx';
import { WrongStills } from './wrong-stills.tsx';

type Figures = NonNullable<ReturnType<typeof figuresOf>>;

interface CheckResultProps extends CheckPlace {
  readonly check: Opened;
}

/** The result of a check, which is the report when it is printed. */
export function CheckResult({ check, scene, device, timezone }: CheckResultProps) {
  const t = useText('check');
  const locale = localeNow();
  const [hasPictures, setPictures] = useState(false);
  const { result } = check;
  const send = useAction(() =>
    api.POST('/checks/{id}/report', {
      params: { path: { id: check.id } },
      body: { withView: hasPictures },
    }),
  );
  const figures = figuresOf(check);
  const share = (value: number) => percent(value / 100, locale);
  return (
    <div className={`stack ${styles.view} ${hasPictures ? styles.withPictures : ''}`}>
      <Section title={t.result}>
        {check.outdated && (
          <p className="notice" data-tone="warn">
            {t.outdated[check.outdated]}
          </p>
        )}
        <p className={styles.sentence}>
          {check.times ? (
            <TimesSentence times={check.times} />
          ) : figures ? (
            <Sentence figures={figures} />
          ) : (
            t.noneCounted
          )}
        </p>
        {check.hasView && (
          <div className={`${styles.picture} ${styles.camera}`}>
            <ImageView url={`api/v1/checks/${check.id}/view`} alt={t.view} gone={t.gone} />
            <SceneZones zones={check.zones} />
          </div>
        )}
        <dl className="details">
          <dt>{t.facts.camera}</dt>
          <dd>{device.name === scene.name ? scene.name : `${device.name}, ${scene.name}`}</dd>
          <dt>{t.facts.time}</dt>
          <dd>
            <Time at={check.startedAt} timezone={timezone} /> –{' '}
            <Time at={check.collectedAt} timezone={timezone} />
            {check.endReason && ` · ${t.endReasons[check.endReason]}`}
          </dd>
          <dt>{t.facts.when}</dt>
          <dd>
            <Time at={check.finishedAt} timezone={timezone} />
          </dd>
          <dt>{t.facts.by}</dt>
          <dd>{check.checkedBy ?? NOTHING}</dd>
        </dl>
        <div className={`row ${styles.screenOnly}`}>
          <Button icon="download" onClick={() => print()}>
            {t.print}
          </Button>
          <Can scope="alert:write">
            <Button icon="notify" isBusy={send.isPending} onClick={() => send.mutate(undefined)}>
              {t.send}
            </Button>
          </Can>
          {!check.film && <Checkbox label={t.withPictures} isOn={hasPictures} onChange={setPictures} />}
        </div>
        <div className={styles.screenOnly} aria-live="polite">
          {send.isSuccess && t.sent}
        </div>
        <FormFailure error={send.error} />
      </Section>
      {check.times && <TimesResult check={check} result={check.times} />}
      {result && figures && (
        <>
          <Section title={t.figures}>
            <FiguresTable result={result} />
            {result.skipped > 0 && (
              <p className={`note ${styles.text}`}>{t.skipped(whole(result.skipped, locale))}</p>
            )}
            {result.agreement && (
              <p>
                {t.agreement(
                  whole(result.agreement.stills, locale),
                  share(result.agreement.withinOnePercent),
                )}
              </p>
            )}
          </Section>
          <Section title={t.conditions}>
            <p>
              {t.conditionsText(
                share(result.conditions.darkPercent),
                share(result.conditions.crowdedPercent),
                share(result.conditions.emptyPercent),
              )}
            </p>
          </Section>
          <WrongStills check={check} timezone={timezone} />
          <Section title={t.method}>
            <p className={styles.text}>{t.methodText}</p>
          </Section>
        </>
      )}
    </div>
  );
}

function Sentence({ figures }: { readonly figures: Figures }) {
  const t = useText('check');
  const locale = localeNow();
  const { value, from, to } = figures.withinOnePercent;
  const good = figures.goodFrom === null ? t.goodForNone : t.goodFrom(whole(figures.goodFrom, locale));
  return `${t.sentence(
    percent(value / 100, locale),
    { from: whole(from, locale), to: whole(to, locale) },
    whole(figures.stills, locale),
  )}${good}`;
}

function TimesSentence({ times }: { readonly times: NonNullable<Opened['times']> }) {
  const t = useText('check');
  const locale = localeNow();
  const figures = times.waiting ?? times.served;
  if (!figures || figures.marked === 0) return t.noneMarked;
  const { lengths } = figures;
  return `${t.timesSentence(percent(figures.f1Percent.value / 100, locale), whole(figures.marked, locale))}${
    lengths
      ? t.waitsSentence(
          duration(lengths.medianErrorSeconds, locale),
          duration(lengths.p90ErrorSeconds, locale),
        )
      : '.'
  }`;
}

function FiguresTable({ result }: { readonly result: NonNullable<Opened['result']> }) {
  const t = useText('check');
  const locale = localeNow();
  const shares = ({ value, from, to }: Figures['bias']) =>
    t.range(percent(value / 100, locale), { from: whole(from, locale), to: whole(to, locale) });
  const rows = [
    { id: 'exact' as const, of: (one: Figures) => shares(one.exactPercent) },
    { id: 'withinOne' as const, of: (one: Figures) => shares(one.withinOnePercent) },
    {
      id: 'bias' as const,
      of: ({ bias: { value, from, to } }: Figures) =>
        t.range(number(value, locale, 2), { from: number(from, locale, 2), to: number(to, locale, 2) }),
    },
    {
      id: 'lengthError' as const,
      of: ({ lengthErrorPercent, lengthError }: Figures) =>
        lengthError
          ? shares(lengthError)
          : percent(lengthErrorPercent === null ? null : lengthErrorPercent / 100, locale),
    },
    {
      id: 'means' as const,
      of: ({ meanOurs, meanTheirs }: Figures) =>
        `${number(meanOurs, locale)} / ${number(meanTheirs, locale)}`,
    },
    { id: 'stills' as const, of: ({ stills }: Figures) => whole(stills, locale) },
  ];
  const modes = MODES.filter((mode) => result[mode] !== null);
  return (
    <Table
      caption={t.figures}
      keyOf={({ id }) => id}
      rows={rows}
      columns={[
        { id: 'figure', title: t.figure, isHeading: true, cell: ({ id }) => t.rows[id] },
        ...modes.map((mode) => ({
          id: mode,
          title: t.modes[mode],
          isNumber: true,
          cell: ({ of }: (typeof rows)[number]) => of(result[mode]!),
        })),
      ]}
    />
  );
}
