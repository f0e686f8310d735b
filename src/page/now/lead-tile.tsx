import { placeName } from '../../catalogue/words/place-name.ts';
import type { LiveScene } from '../api/live-scenes.ts';
import { LinkButton } from '../kit/button.tsx';
import { TONE_ICONS } from '../kit/chip.tsx';
import { Icon } from '../kit/icon.tsx';
import type { Tone } from '../kit/tone.ts';
import { useText } from '../text/text.ts';
import { type Lead, leadOf } from './lead.ts';
import styles from './now.module.css';
import { LOOKS, reasonOf, totalsOf } from './state.ts';
import { waitWords } from './wait-words.ts';

/** What to do, in one sentence, and under it how it is everywhere. @param scenes the worst first */
export function LeadTile({ scenes, now }: { readonly scenes: readonly LiveScene[]; readonly now: number }) {
  const t = useText('now');
  const lead = leadOf(scenes, now);
  const { waiting, inService, fine, close, attention, down } = totalsOf(scenes, now);
  const facts = [
    ...(waiting === null ? [] : [t.facts.waiting(waiting)]),
    ...(inService === null ? [] : [t.facts.inService(inService)]),
    ...(fine > 0 ? [t.facts.fine(fine)] : []),
    ...(close > 0 ? [t.facts.close(close)] : []),
    ...(attention > 0 ? [t.facts.attention(attention)] : []),
    ...(down > 0 ? [t.facts.down(down)] : []),
  ];
  const tone = toneOf(lead, now);
  return (
    <section className={`card ${styles.lead}`} data-tone={tone} aria-label={t.leadLabel}>
      <Icon name={TONE_ICONS[tone]} size={28} />
      <div>
        <p className={styles.sentence}>{useSentence(lead)}</p>
        {facts.length > 0 && <p className={`note ${styles.leadFacts}`}>{facts.join(' · ')}</p>}
      </div>
      {lead.kind === 'send' && (
        <LinkButton kind="main" href={`#/scenes/${lead.scene.id}`}>
          {t.show}
        </LinkButton>
      )}
    </section>
  );
}

function toneOf(lead: Lead, now: number): Tone {
  if (lead.kind === 'send') return LOOKS[reasonOf(lead.scene, now)].tone;
  if (lead.kind === 'calm') return lead.held === lead.of ? 'good' : 'plain';
  return lead.kind === 'blind' ? 'bad' : 'off';
}

function useSentence(lead: Lead): string {
  const { lead: t } = useText('now');
  if (lead.kind === 'calm') return lead.held === lead.of ? t.within(lead.of) : t.calm(lead.fine, lead.of);
  if (lead.kind !== 'send') return t[lead.kind];
  const { device, name, current } = lead.scene;
  const place = placeName(device.name, name);
  if (lead.waiting === 0) return t.lookAt(place);
  // Why nobody knows the wait is no part of what to do.
  const isKnown = current !== null && current.estimatedWaitSeconds !== null;
  return t.send(place, lead.waiting, isKnown ? waitWords(current).replace('-', '-\u2060') : null);
}
