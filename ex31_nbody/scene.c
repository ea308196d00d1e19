/* TASK     bodies in equilibrium: a cluster, and two galaxies that meet.
 * TRAFFIC  none.
 * LIMIT    none: it takes far less time than one step. */
#include "scene.h"
#include "harness.h"
#include <math.h>

/* The streams of random numbers, one for each quantity of a body. */
enum { RADIUS = 1, HEIGHT, ANGLE, SPEED, TILT, TURN, MASS };

static double draw(int stream, size_t i) { return randomUniform(stream, i, 0.0, 1.0); }

/* A vector of this length in a direction drawn at random, with the mass of `to`. */
static struct body inAnyDirection(double length, int height, int angle, size_t i, float mass)
{
    const double z = 2.0 * draw(height, i) - 1.0, phi = 2.0 * M_PI * draw(angle, i);
    const double r = length * sqrt(1.0 - z * z);
    const struct body v = {(float)(r * cos(phi)), (float)(r * sin(phi)), (float)(length * z), mass};

    return v;
}

/* The speed of a body of Plummer's model as a part of the speed at which it would escape: q with
 * the density q^2 (1 - q^2)^3.5, by rejection (Aarseth, Henon and Wielen, Astron. Astrophys. 37,
 * 1974, 183). */
static double partOfEscape(size_t i)
{
    for (int stream = SPEED;; stream += 32) {
        const double q = draw(stream, i), y = 0.1 * draw(stream + 16, i);

        if (y < q * q * pow(1.0 - q * q, 3.5))
            return q;
    }
}

/* A body of Plummer's model of this mass and radius. */
static void placeInCluster(size_t i, double total, double radius, float mass, struct body *at,
                           struct body *velocity)
{
    const double inside = 0.98 * draw(RADIUS, i) + 1e-3; /* the part of the mass that is nearer */
    const double r = 1.0 / sqrt(pow(inside, -2.0 / 3.0) - 1.0);
    const double escape = sqrt(2.0 * total / radius) * pow(1.0 + r * r, -0.25);

    *at = inAnyDirection(radius * r, HEIGHT, ANGLE, i, mass);
    *velocity = inAnyDirection(escape * partOfEscape(i), TILT, TURN, i, 0.0f);
}

void placeCluster(struct body *at, struct body *velocity, size_t n)
{
#pragma omp parallel for
    for (size_t i = 0; i < n; i++)
        placeInCluster(i, 1.0, 1.0, (float)(randomUniform(MASS, i, 0.5, 1.5) / (double)n), &at[i],
                       &velocity[i]);
}

/* A galaxy: three quarters of its mass in the halo, of one body in four. */
static const double galaxyMass = 1.0, darkPart = 0.75, haloRadius = 1.5;

/* A star of the disk, whose density falls as exp(-r): on a circle, nearly. */
static void placeInDisk(size_t i, float mass, struct body *at, struct body *velocity)
{
    const double inside = 0.98 * draw(RADIUS, i), phi = 2.0 * M_PI * draw(ANGLE, i);
    double r = 1.0, speed;

    for (int k = 0; k < 30; k++) /* 1 - (1 + r) exp(-r) = inside, by Newton's method */
        r -= (1.0 - (1.0 + r) * exp(-r) - inside) / (r * exp(-r));
    /* the last term is within a few percent of what such a disk pulls */
    speed = sqrt(galaxyMass * (darkPart * r * r * pow(r * r + haloRadius * haloRadius, -1.5) +
                               (1.0 - darkPart) * inside / (0.35 + 0.65 * r)));
    at->x = (float)(r * cos(phi));
    at->y = (float)(r * sin(phi));
    at->z = (float)(0.1 * (draw(HEIGHT, i) - 0.5));
    at->mass = mass;
    velocity->x = (float)(speed * (-sin(phi) + 0.2 * (draw(SPEED, i) - 0.5)));
    velocity->y = (float)(speed * (cos(phi) + 0.2 * (draw(TILT, i) - 0.5)));
    velocity->z = (float)(speed * 0.1 * (draw(TURN, i) - 0.5));
    velocity->mass = 0.0f;
}

/* Turns a vector around the x axis. */
static void turn(struct body *v, double angle)
{
    const double y = v->y, z = v->z;

    v->y = (float)(cos(angle) * y - sin(angle) * z);
    v->z = (float)(sin(angle) * y + cos(angle) * z);
}

void placeGalaxies(struct body *at, struct body *velocity, size_t n)
{
    const double apart = 10.0, beside = 4.0; /* of the centres, at the beginning */
    const double each = galaxyMass / ((double)n / 2.0);

#pragma omp parallel for
    for (size_t i = 0; i < n; i++) {
        const float side = isOfSecond(i) ? 1.0f : -1.0f;

        if (isDark(i))
            placeInCluster(i, galaxyMass, haloRadius, (float)(4.0 * darkPart * each), &at[i],
                           &velocity[i]);
        else
            placeInDisk(i, (float)(4.0 / 3.0 * (1.0 - darkPart) * each), &at[i], &velocity[i]);
        turn(&at[i], isOfSecond(i) ? 1.0 : -0.4);
        turn(&velocity[i], isOfSecond(i) ? 1.0 : -0.4);
        at[i].x += side * (float)(0.5 * apart);
        at[i].y += side * (float)(0.5 * beside);
        /* together they fall from far away */
        velocity[i].x -= side * (float)(0.5 * sqrt(4.0 * galaxyMass / hypot(apart, beside)));
    }
}
