import type { Category } from '@carillon/client';
import { useState } from 'react';
import { carillon } from '../../api/carillon';
import { useWrite } from '../../api/write';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { CategoryDialog } from './category-dialog';

interface Props {
  org: string;
  project: string;
  category: Category;
}

export function CategoryActions({ org, project, category }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = { org, prj: project, category: category.slug };
  const remove = useWrite(
    () => carillon.delete('/api/o/{org}/p/{prj}/categories/{category}/', { path }),
    '/api/o/{org}/p/{prj}/categories/',
  );
  const close = () => setDialog(null);
  return (
    <span className="row tight">
      <button className="button small" onClick={() => setDialog('edit')}>
        {text.category.edit}
        <span className="hidden"> {category.name}</span>
      </button>
      <button className="button small" onClick={() => setDialog('delete')}>
        {text.category.delete}
        <span className="hidden"> {category.name}</span>
      </button>
      {dialog === 'edit' && <CategoryDialog org={org} projects={[project]} category={category} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={text.category.deleteTitle(category.name)}
          action={text.category.delete}
          word={category.slug}
          onClose={close}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          isPending={remove.isPending}
          error={remove.error}
        >
          {text.category.deleteHint}
        </Confirm>
      )}
    </span>
  );
}
