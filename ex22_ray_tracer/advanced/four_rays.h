/* Four rays a thread: exact, with fused multiplications and additions, and with a cone for each
 * sphere. */
#ifndef FOUR_RAYS_H
#define FOUR_RAYS_H

struct device_scene;
struct view;

void launchFourExact(const struct device_scene *d, const struct view *view, int *d_image);
void launchFourFused(const struct device_scene *d, const struct view *view, int *d_image);
void launchFourCones(const struct device_scene *d, const struct view *view, int *d_image);

#endif
