import { api, type Resource } from '../api/client.ts';
import { useAction, useCall } from '../api/query.ts';
import { Checkbox } from '../kit/form/checkbox.tsx';
import { Async, FormFailure } from '../kit/states.tsx';
import { useText } from '../text/text.ts';
import styles from './privacy.module.css';

type Groups = Resource<'Account'>['attributeGroups'];
const GROUPS: readonly Groups[number][] = ['gender', 'age'];

/** Whether gender and age of people are estimated, at all cameras of the account. */
export function SensitiveOfAccount() {
  const t = useText('privacy').sensitive;
  const account = useCall(['account'], () => api.GET('/users/me'));
  const save = useAction((attributeGroups: Groups) => api.PATCH('/users/me', { body: { attributeGroups } }), {
    changes: [['account']],
  });
  return (
    <Async query={account}>
      {({ attributeGroups }) => <Switches hint={t.account} on={attributeGroups} save={save} />}
    </Async>
  );
}

/** The same of one camera. */
export function SensitiveOfCamera({ id, on }: { readonly id: string; readonly on: Groups }) {
  const t = useText('privacy').sensitive;
  const save = useAction(
    (attributeGroups: Groups) =>
      api.PATCH('/devices/{id}', { params: { path: { id } }, body: { attributeGroups } }),
    { changes: [['device', id]] },
  );
  return <Switches hint={t.camera} on={on} save={save} />;
}

/** The same of one recording. */
export function SensitiveOfRecording({ id, on }: { readonly id: string; readonly on: Groups }) {
  const t = useText('privacy').sensitive;
  const save = useAction(
    (attributeGroups: Groups) =>
      api.PATCH('/recordings/{id}', { params: { path: { id } }, body: { attributeGroups } }),
    { changes: [['recordings']] },
  );
  return <Switches hint={t.recording} on={on} save={save} />;
}

interface SwitchesProps {
  readonly hint: string;
  readonly on: Groups;
  readonly save: Pick<
    ReturnType<typeof useAction<Groups, unknown>>,
    'error' | 'isPending' | 'isSuccess' | 'mutate' | 'variables'
  >;
}

function Switches({ hint, on, save }: SwitchesProps) {
  const t = useText('privacy').sensitive;
  const shown = (save.isPending && save.variables) || on;
  const change = (group: Groups[number], isOn: boolean) =>
    save.mutate(GROUPS.filter((each) => (each === group ? isOn : on.includes(each))));
  return (
    <fieldset className={`stack ${styles.blur}`} disabled={save.isPending}>
      <legend>{t.title}</legend>
      <p className={`note ${styles.hint}`}>{hint}</p>
      {GROUPS.map((group) => (
        <Checkbox
          key={group}
          label={t.groups[group]}
          isOn={shown.includes(group)}
          onChange={(isOn) => change(group, isOn)}
        />
      ))}
      <FormFailure error={save.error} />
      <p role="status" className={styles.saved}>
        {save.isSuccess ? t.saved : ''}
      </p>
    </fieldset>
  );
}
