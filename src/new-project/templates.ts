/** A new project's content types, as `lectern make` reads them: both write the same files. */

export interface TemplateComponent {
  /** `shared.seo` */
  readonly component: string;
  readonly attributes: string;
}

export interface TemplateType {
  readonly type: string;
  readonly draftAndPublish?: true;
  readonly attributes: string;
  /** Callers without credentials may read it. */
  readonly public: boolean;
}

export interface Template {
  /** What the project is about, in a few words. */
  readonly summary: string;
  /** In this order: a relation leads to a type that is already there. */
  readonly schemas: readonly (TemplateComponent | TemplateType)[];
}

const blog: Template = {
  summary: 'articles with authors, categories and tags',
  schemas: [
    { component: 'shared.seo', attributes: 'title:string(60) description:text(160) image:media(images)' },
    { type: 'author', public: true, attributes: 'name:string! bio:text avatar:media(images)' },
    { type: 'category', public: true, attributes: 'name:string! slug:uid(name) description:text' },
    { type: 'tag', public: true, attributes: 'name:string! slug:uid(name)' },
    {
      type: 'article',
      public: true,
      draftAndPublish: true,
      attributes:
        'title:string(120)! slug:uid(title) summary:text(400) body:blocks cover:media(images) author:manyToOne(author) category:manyToOne(category) tags:manyToMany(tag) seo:component(shared.seo)',
    },
  ],
};

const shop: Template = {
  summary: 'products with variants in a tree of categories, and orders, which only tokens read',
  schemas: [
    { component: 'shop.variant', attributes: 'name:string! sku:string(40)! price:decimal(10,2)! stock:integer' },
    { component: 'shop.line', attributes: 'sku:string(40)! name:string! quantity:integer! price:decimal(10,2)!' },
    { type: 'category', public: true, attributes: 'name:string! slug:uid(name) parent:manyToOne(category,children)' },
    {
      type: 'product',
      public: true,
      draftAndPublish: true,
      attributes:
        'name:string(120)! slug:uid(name) description:richtext pictures:media(images,multiple) variants:component(shop.variant,repeatable) categories:manyToMany(category)',
    },
    {
      type: 'order',
      public: false,
      attributes:
        'number:string(40)! email:email! state:enumeration(placed,paid,sent,cancelled)! lines:component(shop.line,repeatable) total:decimal(10,2)! customer:oneWay(user) note:text',
    },
  ],
};

const empty: Template = { summary: 'no content types yet', schemas: [] };

export const templates = { blog, shop, empty } as const satisfies Record<string, Template>;
export type TemplateName = keyof typeof templates;
export const templateNames: readonly TemplateName[] = ['blog', 'shop', 'empty'];
