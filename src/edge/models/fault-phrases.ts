/** The words of servers by which a refusal is told, whatever its status. */

export const CONTEXT_PHRASES =
  /context[ _-]?(?:length|window|size|limit)|maximum context|prompt (?:is )?too long|input (?:is )?too (?:long|large)|too many (?:input )?tokens(?! per)|exceeds? (?:the )?(?:available |maximum |model'?s? )*(?:context|token limit|number of tokens)|reduce the length|n_ctx|token (?:count|limit) .*exceed/i;
export const CONTEXT_CODES = /context_length|context_window|context_size|prompt_too_long|string_above_max_length/i;
export const UNKNOWN_MODEL =
  /model.{0,120}(?:not found|not exist|unknown|no such|not available|not a valid|invalid)|(?:unknown|invalid|no such|not find|not a valid) .{0,20}model/i;
export const NO_TOOLS =
  /tools? (?:use |calling )?(?:is |are )?not supported|(?:not|n't) support (?:tool|function)|support tool use/i;
/** How servers refuse a picture, and how those that know nothing but text refuse a content in parts. */
export const NO_IMAGES =
  /image|\bvision\b|multi-?modal|mmproj|content.{0,60}(?:must be|expected|should be) a? ?(?:valid )?string|expected `?text`?|unmarshal array/i;
