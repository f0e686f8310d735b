import { api } from '../../api/client.ts';
import { useCall } from '../../api/query.ts';
import { Checkbox } from '../../kit/form/checkbox.tsx';
import { useText } from '../../text/text.ts';

interface ShowPeopleProps {
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
}

/** Whether a check shows people; asked only of an account whose pictures hide them. */
export function ShowPeople(field: ShowPeopleProps) {
  const t = useText('check');
  const account = useCall(['account'], () => api.GET('/users/me'));
  if (!account.data || account.data.blurPeople === 'none') return null;
  return <Checkbox label={t.showsPeople} hint={t.showsPeopleHint} {...field} />;
}
