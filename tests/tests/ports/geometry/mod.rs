//! Geometry: polygons, curves and surfaces, meshes, contours, collisions, poses.
mod bezier;
mod contours;
mod convex;
mod dual_reprojection;
mod frechet_curves;
mod marching;
mod nurbs;
mod obb_sat;
mod obj_normals;
mod occupancy_grid;
mod polygon_sdf;
mod polygon_triangulation;
mod polygons;
mod quat_ik;
