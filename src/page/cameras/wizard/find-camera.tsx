import { type FormEvent, useState } from 'react';
import { api } from '../../api/client.ts';
import { useAction } from '../../api/query.ts';
import { useSession } from '../../api/session.tsx';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/form/text-field.tsx';
import { Page } from '../../kit/page.tsx';
import { Forbidden, FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { readAddress } from '../camera-address.ts';
import { Discovery } from './discovery.tsx';
import type { Found } from './found.ts';
import { ProbeResult } from './probe-result.tsx';
import { Steps } from './steps.tsx';
import styles from './wizard.module.css';

/** The simulated shop, a minute before its first queue. */
const SIMULATED = 'sim:shop?seed=1&start=120';

/** The first step: an address that a search has found or somebody enters, and what the camera there shows. */
export function FindCamera() {
  const t = useText('cameras');
  const { wizard } = t;
  const session = useSession();
  const [address, setAddress] = useState('');
  const [found, setFound] = useState<Found | null>(null);
  const probe = useAction((streamUrl: string) => api.POST('/devices/probe', { body: { streamUrl } }));
  const check = (typed: string, name = '') => {
    const streamUrl = readAddress(typed);
    if (streamUrl === '') return;
    setAddress(typed);
    setFound(null);
    probe.mutate(streamUrl, {
      onSuccess: (probed) => probed && setFound({ streamUrl, name, probed }),
    });
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    check(address);
  };
  if (!session.may('device:write')) {
    return (
      <Page title={wizard.title} backTo="/cameras">
        <Forbidden scope="device:write" />
      </Page>
    );
  }
  return (
    <Page title={wizard.title} backTo="/cameras">
      <Steps at={0} />
      {found ? (
        <ProbeResult found={found} onBack={() => setFound(null)} />
      ) : (
        <div className={`stack ${styles.where}`}>
          <h2>{wizard.where}</h2>
          <form className={styles.address} onSubmit={onSubmit}>
            <TextField
              label={wizard.address}
              hint={t.addressHint}
              error={probe.error}
              path="streamUrl"
              type="text"
              inputMode="url"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={address}
              onChange={setAddress}
            />
            <Button type="submit" kind="main" isBusy={probe.isPending} disabled={address.trim() === ''}>
              {wizard.check}
            </Button>
          </form>
          {probe.isPending && (
            <p role="status" className="wait">
              {wizard.checking}
            </p>
          )}
          <FormFailure error={probe.error} />
          <p className={styles.or}>{wizard.or}</p>
          <Discovery onUse={check} isBusy={probe.isPending} />
          <Button kind="quiet" disabled={probe.isPending} onClick={() => check(SIMULATED)}>
            {wizard.demo}
          </Button>
        </div>
      )}
    </Page>
  );
}
