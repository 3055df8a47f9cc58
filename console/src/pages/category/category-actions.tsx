import type { Category } from '@carillon/client';
import { useState } from 'react';
import { useAuthors } from '../../api/authors';
import { carillon } from '../../api/carillon';
import { seenOf, useEdit } from '../../api/edit';
import { useRead } from '../../api/read';
import { Confirm } from '../../form/confirm';
import { text } from '../../text/text';
import { CategoryDialog } from './category-dialog';

const CATEGORY = '/api/o/{org}/p/{prj}/categories/{category}/';

interface Props {
  org: string;
  project: string;
  category: Category;
}

export function CategoryActions({ org, project, category }: Props) {
  const [dialog, setDialog] = useState<'edit' | 'delete' | null>(null);
  const path = { org, prj: project, category: category.slug };
  // The list has no versions.
  const { data: read, error } = useRead(CATEGORY, { path }, { enabled: dialog !== null });
  const close = () => setDialog(null);
  const remove = useEdit({
    seen: () => seenOf(read ?? category),
    read: () => carillon.get(CATEGORY, { path }),
    write: (_: void, headers) => carillon.delete(CATEGORY, { path, headers }),
    authors: useAuthors(org, 'category', `${project}/${category.slug}`),
    reads: ['/api/o/{org}/p/{prj}/categories/', CATEGORY],
    onDone: close,
    onReload: close,
  });
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
      {dialog === 'edit' && read && <CategoryDialog org={org} projects={[project]} category={read} onClose={close} />}
      {dialog === 'delete' && (
        <Confirm
          title={text.category.deleteTitle(category.name)}
          action={text.category.delete}
          word={category.name}
          onClose={close}
          onConfirm={() => remove.mutate()}
          isPending={remove.isPending || !read}
          error={remove.error ?? error}
        >
          {text.category.deleteHint}
        </Confirm>
      )}
    </span>
  );
}
