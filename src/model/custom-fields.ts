/** Base types of the custom fields in use. A custom field is stored, read and written as its base type; what the plugin adds is a
 *  widget in the admin panel. Only those are here whose base type is known for sure: with a wrong one the values would be read
 *  wrongly. Others are named by the configuration key `customFields`. */
export const knownCustomFields: Readonly<Record<string, string>> = {
  'plugin::ckeditor.CKEditor': 'richtext',
  'plugin::ckeditor5.CKEditor': 'richtext',
  'plugin::color-picker.color': 'string',
  'plugin::country-select.country': 'string',
  'plugin::multi-select.multi-select': 'json',
  'plugin::oembed.oembed': 'json',
  'plugin::react-icons.icon': 'string',
  'plugin::strapi-advanced-uuid.uuid': 'uid',
  'plugin::strapi-lucide-icons.icon': 'string',
  'plugin::tagsinput.tags': 'json',
  'plugin::tinymce.tinymce': 'richtext',
  'plugin::video-field.video': 'json',
};
