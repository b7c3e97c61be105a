/** How a text begins that goes with an input beside what the person wrote: its kind and its name. */
export const ATTACHED = /^\[attached (file|output|image) ([^\n]*)\]\n/;
