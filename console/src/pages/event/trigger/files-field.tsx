import type { Upload } from '@carillon/client';
import { useMutation } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { carillon } from '../../../api/carillon';
import { Problem } from '../../../components/problem';
import { text } from '../../../text/text';

/** The files of a trigger. They are uploaded when they are chosen. */
export function useFiles(org: string) {
  const [files, setFiles] = useState<Upload[]>([]);
  const upload = useMutation({
    mutationFn: async (chosen: File[]) => {
      for (const file of chosen) {
        const stored = await carillon.upload(org, file.name, file);
        setFiles((before) => [...before, stored]);
      }
    },
  });
  const remove = (id: string) => setFiles((before) => before.filter((file) => file.id !== id));
  return { files, upload, remove, attachments: files.map(({ id }) => ({ upload: id })) };
}

export function FilesField({ files, upload, remove }: ReturnType<typeof useFiles>) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{text.event.trigger.files}</label>
      <input
        id={id}
        className="input"
        type="file"
        multiple
        disabled={upload.isPending}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          upload.mutate([...(target.files ?? [])]);
          target.value = ''; // so that the same file can be chosen again
        }}
      />
      <span className="hint" id={`${id}-hint`}>
        {text.event.trigger.filesHint}
      </span>
      <span role="status">{upload.isPending && text.event.trigger.uploading}</span>
      {files.map((file) => (
        <div key={file.id} className="row">
          <span>{file.filename}</span>
          <span className="soft">{text.event.trigger.kilobytes(Math.ceil(file.size / 1024))}</span>
          <button
            type="button"
            className="button small"
            aria-label={text.event.trigger.removeFile(file.filename)}
            onClick={() => remove(file.id)}
          >
            {text.event.trigger.remove}
          </button>
        </div>
      ))}
      {upload.error && <Problem error={upload.error} />}
    </div>
  );
}
