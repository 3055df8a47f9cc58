import type { SwitchedOff } from '@carillon/client';
import { useSwitchName } from '../../../api/names';
import { useSetSwitch } from '../../../api/switches';
import { Problem } from '../../../components/problem';
import { Dialog } from '../../../form/dialog';
import { text } from '../../../text/text';

interface Props {
  org: string;
  target: SwitchedOff;
  onClose: () => void;
}

/** Asks before something is switched on again. */
export function SwitchOn({ org, target, onClose }: Props) {
  const setSwitch = useSetSwitch(org);
  const name = useSwitchName(org, target.kind, target.path);
  return (
    <Dialog title={text.now.onTitle(name)} open onClose={onClose}>
      <p>{text.now.onConfirm}</p>
      {setSwitch.error && <Problem error={setSwitch.error} />}
      <div className="actions">
        <button className="button" onClick={onClose}>
          {text.now.cancel}
        </button>
        <button
          className="button primary"
          disabled={setSwitch.isPending}
          onClick={() => setSwitch.mutate({ ...target, enabled: true }, { onSuccess: onClose })}
        >
          {text.now.on}
        </button>
      </div>
    </Dialog>
  );
}
