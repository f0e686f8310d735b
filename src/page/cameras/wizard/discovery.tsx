import { useState } from 'react';
import { api, type Resource } from '../../api/client.ts';
import { useAction, useCall } from '../../api/query.ts';
import { Button } from '../../kit/button.tsx';
import { TextField } from '../../kit/form/text-field.tsx';
import { FormFailure } from '../../kit/states.tsx';
import { useText } from '../../text/text.ts';
import { withLogin } from '../camera-address.ts';
import styles from './wizard.module.css';

type Camera = Resource<'DiscoveredCamera'>;
type Stream = Resource<'DiscoveredStream'>;

interface DiscoveryProps {
  /** Somebody wants to use a stream; its address has the login. */
  readonly onUse: (address: string, name: string) => void;
  readonly isBusy: boolean;
}

/** Searches for cameras in the network. */
export function Discovery({ onUse, isBusy }: DiscoveryProps) {
  const { wizard } = useText('cameras');
  const [login, setLogin] = useState({ username: '', password: '' });
  const [network, setNetwork] = useState('');
  const begin = useAction(() =>
    api.POST('/devices/discover', {
      body: {
        ...(login.username.trim() !== '' && { credentials: { ...login, username: login.username.trim() } }),
        ...(network.trim() !== '' && { network: network.trim() }),
      },
    }),
  );
  const id = begin.data?.id;
  const search = useCall(
    ['discovery', id],
    () => api.GET('/devices/discover/{id}', { params: { path: { id: id! } } }),
    {
      enabled: id !== undefined,
      refetchInterval: ({ state }) => (isOver(state.data?.status) ? false : 1000),
    },
  );
  const isSearching = begin.isPending || (id !== undefined && !search.error && !isOver(search.data?.status));
  const cameras = search.data?.cameras ?? [];
  const wantLogin = cameras.some(({ credentials }) => credentials === 'needed' || credentials === 'wrong');
  return (
    <div className="stack">
      <Button icon="search" isBusy={isSearching} onClick={() => begin.mutate(undefined)}>
        {wizard.find}
      </Button>
      <details open={wantLogin || undefined}>
        <summary>{wizard.login}</summary>
        <div className="box">
          <TextField
            label={wizard.username}
            hint={wizard.loginHint}
            error={begin.error}
            path="credentials.username"
            autoComplete="off"
            autoCapitalize="none"
            value={login.username}
            onChange={(value) => setLogin({ ...login, username: value })}
          />
          <TextField
            label={wizard.password}
            error={begin.error}
            path="credentials.password"
            type="password"
            autoComplete="off"
            value={login.password}
            onChange={(value) => setLogin({ ...login, password: value })}
          />
          <TextField
            label={wizard.network}
            hint={wizard.networkHint}
            error={begin.error}
            path="network"
            isOptional
            value={network}
            onChange={setNetwork}
          />
        </div>
      </details>
      <div role="status">
        {isSearching && <p className="wait">{wizard.finding}</p>}
        {search.data?.status === 'completed' && <p>{wizard.found(cameras.length)}</p>}
        {search.data?.status === 'completed' && cameras.length === 0 && <p>{wizard.foundNone}</p>}
        {search.data?.status === 'failed' && <p>{search.data.errorMessage}</p>}
      </div>
      <FormFailure error={begin.error ?? search.error} />
      {cameras.length > 0 && (
        <ul className={`stack ${styles.found}`}>
          {cameras.map((camera) => (
            <FoundCamera
              key={camera.address}
              camera={camera}
              isBusy={isBusy}
              onUse={({ url }) => onUse(withLogin(url, login), nameOf(camera))}
            />
          ))}
        </ul>
      )}
    </div>
  );
}

const isOver = (status: string | undefined): boolean => status === 'completed' || status === 'failed';

const nameOf = ({ name, manufacturer, model }: Camera): string =>
  (name ?? [manufacturer, model].filter(Boolean).join(' ')).slice(0, 100);

interface FoundCameraProps {
  readonly camera: Camera;
  readonly isBusy: boolean;
  readonly onUse: (stream: Stream) => void;
}

function FoundCamera({ camera, isBusy, onUse }: FoundCameraProps) {
  const { wizard } = useText('cameras');
  const { address, credentials, isAsked, streams, error } = camera;
  const problem =
    credentials === 'needed' ? wizard.needsLogin : credentials === 'wrong' ? wizard.wrongLogin : error;
  return (
    <li className="box">
      <p>
        <strong>{nameOf(camera) || address}</strong> <small className="note">{address}</small>
      </p>
      {!isAsked && <small className="note">{wizard.asking}</small>}
      {problem && <small className="note">{problem}</small>}
      {streams.map((stream) => (
        <Button key={stream.url} disabled={isBusy} onClick={() => onUse(stream)}>
          {`${wizard.useStream} ${stream.profile ?? ''} ${stream.width ? `${stream.width} × ${stream.height}` : ''}`}
        </Button>
      ))}
    </li>
  );
}
